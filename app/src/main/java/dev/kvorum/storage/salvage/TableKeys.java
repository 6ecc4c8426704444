package dev.kvorum.storage.salvage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReaderIterator;

/**
 * The keys in the tables of a corrupted store. They are readable where RocksDB's iterator stops at
 * a value whose blob file is corrupted or gone. Only the tables around the last key are open.
 * Confined to one thread.
 */
final class TableKeys implements SalvageScan.KnownKeys, AutoCloseable {
  private final List<SalvageTable.Table> tables;
  private final Map<Path, Keys> open = new HashMap<>();

  /**
   * Creates a view of tables.
   *
   * @param tables sorted by their first key
   */
  TableKeys(List<SalvageTable.Table> tables) {
    this.tables = tables;
  }

  /** Also null if a table that may contain the key is unreadable there. Blocks. */
  @Override
  public byte @Nullable [] firstFrom(byte[] key) {
    byte[] first = null;
    for (SalvageTable.Table table : tables) {
      if (first != null && SalvageTable.compare(table.smallestKey(), first) >= 0) {
        break;
      }
      if (SalvageTable.compare(table.largestKey(), key) < 0) {
        close(table);
        continue;
      }
      byte[] found = firstFrom(key, table);
      if (found == null) {
        return null;
      }
      if (first == null || SalvageTable.compare(found, first) < 0) {
        first = found;
      }
    }
    return first;
  }

  private byte @Nullable [] firstFrom(byte[] key, SalvageTable.Table table) {
    if (SalvageTable.compare(table.smallestKey(), key) >= 0) {
      return table.smallestKey();
    }
    try {
      Keys keys = open.get(table.file());
      if (keys == null) {
        keys = new Keys(table);
        open.put(table.file(), keys);
      }
      return keys.firstFrom(key);
    } catch (RocksDBException e) {
      // An iterator that has read a corrupted block may report the next one as corrupted too.
      close(table);
      return null;
    }
  }

  private void close(SalvageTable.Table table) {
    Keys keys = open.remove(table.file());
    if (keys != null) {
      keys.close();
    }
  }

  @Override
  public void close() {
    open.values().forEach(Keys::close);
    open.clear();
  }

  /** The keys of one table. */
  private static final class Keys implements AutoCloseable {
    private final TableReader reader;
    private final SstFileReaderIterator at;

    Keys(SalvageTable.Table table) throws RocksDBException {
      this.reader = TableReader.open(table.file());
      this.at = reader.newIterator();
    }

    byte @Nullable [] firstFrom(byte[] key) throws RocksDBException {
      at.seek(key);
      at.status();
      return at.isValid() ? at.key() : null;
    }

    @Override
    public void close() {
      at.close();
      reader.close();
    }
  }
}
