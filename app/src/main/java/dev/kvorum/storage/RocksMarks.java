package dev.kvorum.storage;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** Marks in the {@code meta} family, and all of them in memory: there are a few for each member. */
final class RocksMarks implements MarkStore {
  private static final String PREFIX = "mark/";

  private final Map<String, Long> marks = new ConcurrentHashMap<>();
  private final Map<String, Long> staged = new HashMap<>();
  private final ColumnFamilyHandle meta;
  private final Writer writer;

  /** Whoever puts a mark into the queue of writes. */
  @FunctionalInterface
  interface Writer {
    void write(WriteOp.KeepMark mark);
  }

  /** Reads all marks. Blocks. */
  RocksMarks(RocksDatabase database, Writer writer)
      throws RocksDBException, CorruptRecordException {
    this.meta = database.meta();
    this.writer = writer;
    byte[] first = PREFIX.getBytes(StandardCharsets.UTF_8);
    try (RocksIterator at = database.db().newIterator(database.meta())) {
      for (at.seek(first); at.isValid(); at.next()) {
        String key = new String(at.key(), StandardCharsets.UTF_8);
        if (!key.startsWith(PREFIX)) {
          break;
        }
        String name = key.substring(PREFIX.length());
        marks.put(name, MetaNumber.decode(at.value(), "the mark " + name));
      }
      at.status();
    }
  }

  /** Where a mark is kept. */
  static byte[] key(String name) {
    return (PREFIX + name).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public long mark(String name) {
    return marks.getOrDefault(name, 0L);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<Applied> waiter) {
    writer.write(new WriteOp.KeepMark(name, number, loop, waiter));
  }

  /** Adds a mark to a batch. For the writer thread alone. */
  void add(String name, long number, WriteBatch batch) throws RocksDBException {
    batch.put(meta, key(name), MetaNumber.encode(number));
    staged.put(name, number);
  }

  /** Says whether the batch was stored: nobody goes by a mark that a crash may take back. */
  void settle(boolean stored) {
    if (stored) {
      marks.putAll(staged);
    }
    staged.clear();
  }
}
