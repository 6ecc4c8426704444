package dev.kvorum.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;

/** The clock's high-water mark on disk: Unix milliseconds that no stamp given so far passes. */
final class HighWater {
  static final byte[] KEY = "high-water".getBytes(StandardCharsets.UTF_8);

  private HighWater() {}

  static byte[] encode(long millis) {
    return ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
  }

  /** The mark, or 0 when there was none. */
  static long read(RocksDatabase database) throws RocksDBException, CorruptRecordException {
    byte[] stored = database.db().get(database.meta(), KEY);
    if (stored == null) {
      return 0;
    }
    if (stored.length != Long.BYTES || ByteBuffer.wrap(stored).getLong() < 0) {
      throw new CorruptRecordException("the clock's high-water mark is no number of milliseconds");
    }
    return ByteBuffer.wrap(stored).getLong();
  }
}
