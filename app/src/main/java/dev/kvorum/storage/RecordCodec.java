package dev.kvorum.storage;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.ByteBuffer;

/**
 * The layout of a record on disk, big-endian:
 *
 * <pre>
 *  0  format, 1            14  expiry, Unix milliseconds or 0
 *  1  flags, bit 0 tombstone   22  from
 *  2  version: stamp       23  value
 * 10  version: writer
 * </pre>
 *
 * <p>All that a version check needs is in front, so that it never touches the value. Whatever this
 * node would not have written itself is refused: a newer format or a damaged byte must not be read
 * as something else.
 */
final class RecordCodec {
  static final int HEADER_BYTES = 23;

  private static final byte[] NO_VALUE = new byte[0];
  private static final byte FORMAT = 1;
  private static final byte LIVE = 0;
  private static final byte TOMBSTONE = 1;
  private static final int FLAGS_AT = 1;
  private static final int STAMP_AT = 2;
  private static final int WRITER_AT = 10;
  private static final int EXPIRY_AT = 14;
  private static final int FROM_AT = 22;

  private RecordCodec() {}

  static byte[] encode(Versioned stored) {
    return ByteBuffer.allocate(HEADER_BYTES + stored.value().length)
        .put(FORMAT)
        .put(stored.tombstone() ? TOMBSTONE : LIVE)
        .putLong(stored.version().stamp())
        .putInt(stored.version().writer())
        .putLong(stored.expiresAtMillis())
        .put((byte) stored.from())
        .put(stored.value())
        .array();
  }

  /**
   * The version in a header.
   *
   * @param header begins, at index 0, with as much of the record as there is of its header
   * @param storedBytes length of the whole record
   */
  static Version version(ByteBuffer header, int storedBytes) throws CorruptRecordException {
    check(header, storedBytes);
    return versionOf(header);
  }

  /** The record in the buffer's first bytes up to its limit; its value is copied out. */
  static Versioned decode(ByteBuffer stored) throws CorruptRecordException {
    check(stored, stored.limit());
    int from = stored.get(FROM_AT);
    if (stored.get(FLAGS_AT) == TOMBSTONE) {
      return Versioned.tombstone(versionOf(stored), from);
    }
    byte[] value = new byte[stored.limit() - HEADER_BYTES];
    stored.get(HEADER_BYTES, value);
    return Versioned.live(versionOf(stored), stored.getLong(EXPIRY_AT), from, value);
  }

  /** The record in the buffer's first bytes, its value left out. */
  static Versioned decodeWithoutValue(ByteBuffer stored) throws CorruptRecordException {
    check(stored, stored.limit());
    int from = stored.get(FROM_AT);
    return stored.get(FLAGS_AT) == TOMBSTONE
        ? Versioned.tombstone(versionOf(stored), from)
        : Versioned.live(versionOf(stored), stored.getLong(EXPIRY_AT), from, NO_VALUE);
  }

  /** Whether a header is of a tombstone; see {@link #version}. */
  static boolean isTombstone(ByteBuffer header) {
    return header.get(FLAGS_AT) == TOMBSTONE;
  }

  /** The number of copies in a header; see {@link #version}. */
  static int from(ByteBuffer header) {
    return header.get(FROM_AT);
  }

  private static Version versionOf(ByteBuffer header) {
    return new Version(header.getLong(STAMP_AT), header.getInt(WRITER_AT));
  }

  private static void check(ByteBuffer header, int storedBytes) throws CorruptRecordException {
    if (storedBytes < HEADER_BYTES) {
      throw new CorruptRecordException("a record of " + storedBytes + " bytes is cut short");
    }
    if (header.get(0) != FORMAT) {
      throw new CorruptRecordException("unknown record format " + header.get(0));
    }
    byte flags = header.get(FLAGS_AT);
    long expiry = header.getLong(EXPIRY_AT);
    if (flags != LIVE && flags != TOMBSTONE) {
      throw new CorruptRecordException("unknown record flags " + flags);
    }
    if (flags == TOMBSTONE && (storedBytes > HEADER_BYTES || expiry != Versioned.NEVER)) {
      throw new CorruptRecordException("a tombstone with a value or an expiry");
    }
    if (header.getLong(STAMP_AT) < 0 || expiry < 0 || header.get(FROM_AT) < 1) {
      throw new CorruptRecordException("a record with a negative stamp, expiry or copy count");
    }
  }
}
