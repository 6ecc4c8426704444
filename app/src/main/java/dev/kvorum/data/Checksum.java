package dev.kvorum.data;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes the checksum of a record: CRC32C (Castagnoli) of its value, xor CRC32C of its key and
 * all other fields of {@link Versioned}. With two parts, a new version does not read the value
 * again, which may have changed in memory meanwhile.
 */
final class Checksum {
  private static final int FIXED_BYTES = 8 + 4 + 8 + 1 + 1;

  private Checksum() {}

  static int ofValue(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  static int ofHead(Key key, Version version, RecordKind kind, long expiresAtMillis, int from) {
    byte[] fixed =
        ByteBuffer.allocate(FIXED_BYTES)
            .putLong(version.stamp())
            .putInt(version.writer())
            .putLong(expiresAtMillis)
            .put((byte) from)
            .put(kind.flags())
            .array();
    CRC32C crc = new CRC32C();
    crc.update(key.bytes());
    crc.update(fixed);
    return (int) crc.getValue();
  }
}
