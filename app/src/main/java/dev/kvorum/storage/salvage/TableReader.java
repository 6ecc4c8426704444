package dev.kvorum.storage.salvage;

import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/** Reads one table without its store. Confined to one thread. */
final class TableReader implements AutoCloseable {
  private final Options options = new Options();
  private final ReadOptions read = new ReadOptions().setVerifyChecksums(true).setFillCache(false);
  private final SstFileReader reader = new SstFileReader(options);

  private TableReader() {}

  /** Opens a table. Blocks. */
  static TableReader open(Path table) throws RocksDBException {
    TableReader opened = new TableReader();
    try {
      opened.reader.open(table.toString());
      return opened;
    } catch (RocksDBException e) {
      opened.close();
      throw e;
    }
  }

  /** The name of the column family to which the table belongs. */
  byte[] familyName() throws RocksDBException {
    return reader.getTableProperties().getColumnFamilyName();
  }

  /** An iterator, to be closed before this reader. */
  SstFileReaderIterator newIterator() {
    return reader.newIterator(read);
  }

  @Override
  public void close() {
    reader.close();
    read.close();
    options.close();
  }
}
