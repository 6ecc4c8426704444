package dev.kvorum.storage;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;

/** A number that the store keeps about itself, in the {@code meta} family: eight bytes. */
final class MetaNumber {
  private MetaNumber() {}

  static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number under a key, or 0 when there is none. */
  static long read(RocksDatabase database, byte[] key, String name)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = database.db().get(database.meta(), key);
    return stored == null ? 0 : decode(stored, name);
  }

  static long decode(byte[] stored, String name) throws CorruptRecordException {
    if (stored.length != Long.BYTES || ByteBuffer.wrap(stored).getLong() < 0) {
      throw new CorruptRecordException(name + " is no positive number");
    }
    return ByteBuffer.wrap(stored).getLong();
  }
}
