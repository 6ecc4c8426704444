package dev.kvorum.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;

/** A number that the store keeps about itself, in the {@code meta} family: eight bytes. */
final class MetaNumber {
  /** The clock's high-water mark: Unix milliseconds that no stamp given so far passes. */
  static final byte[] HIGH_WATER = "high-water".getBytes(StandardCharsets.UTF_8);

  private MetaNumber() {}

  static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number under a key, or 0 when there is none. */
  static long read(RocksDatabase database, byte[] key, String name)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = database.db().get(database.meta(), key);
    if (stored == null) {
      return 0;
    }
    if (stored.length != Long.BYTES || ByteBuffer.wrap(stored).getLong() < 0) {
      throw new CorruptRecordException(name + " is no positive number");
    }
    return ByteBuffer.wrap(stored).getLong();
  }
}
