package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.ByteBuffer;

/**
 * The layout of a record on disk, big-endian:
 *
 * <pre>
 *  0  format, 2            14  expiry, Unix milliseconds or 0
 *  1  kind                 22  from
 *  2  version: stamp       23  checksum
 * 10  version: writer      27  value
 * </pre>
 *
 * <p>Format 1 has no checksum, and the value at 23. Its records are read as intact, and get a
 * checksum when they are read completely.
 *
 * <p>All fields for a version check are in front, so that the check never reads the value. Bytes
 * that this node would not have written are rejected: a newer format or a damaged byte must not be
 * read as something else.
 */
public final class RecordCodec {
  /** Header length of the newest format, which is the longest. */
  static final int HEADER_BYTES = 27;

  /** Length of the shortest header of all formats. */
  public static final int HEADER_BYTES_MIN = 23;

  private static final byte FORMAT_WITHOUT_CHECKSUM = 1;
  private static final byte FORMAT = 2;
  private static final int KIND_AT = 1;
  private static final int STAMP_AT = 2;
  private static final int WRITER_AT = 10;
  private static final int EXPIRY_AT = 14;
  private static final int FROM_AT = 22;
  private static final int CHECKSUM_AT = 23;

  private RecordCodec() {}

  public static byte[] encode(Versioned stored) {
    return ByteBuffer.allocate(HEADER_BYTES + stored.value().length)
        .put(header(stored))
        .put(stored.value())
        .array();
  }

  /** What precedes the value in the stored form of a record. */
  static byte[] header(Versioned stored) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .put(FORMAT)
        .put(stored.kind().flags())
        .putLong(stored.version().stamp())
        .putInt(stored.version().writer())
        .putLong(stored.expiresAtMillis())
        .put((byte) stored.from())
        .putInt(stored.checksum())
        .array();
  }

  /**
   * The version in a header, not verified by the checksum.
   *
   * @param header starts, at index 0, with the available part of the record's header
   * @param storedBytes length of the complete record
   */
  static Version version(ByteBuffer header, int storedBytes) throws CorruptRecordException {
    check(header, storedBytes);
    return versionOf(header);
  }

  /** The newer of two stored records, by their headers; a corrupted one is older than any. */
  public static byte[] newer(byte[] a, byte[] b) {
    return versionOrNone(b).isNewerThan(versionOrNone(a)) ? b : a;
  }

  private static Version versionOrNone(byte[] stored) {
    try {
      return version(ByteBuffer.wrap(stored), stored.length);
    } catch (CorruptRecordException e) {
      return Version.NONE;
    }
  }

  /**
   * Decodes the record in the buffer up to its limit; copies the value.
   *
   * @throws ChecksumMismatchException if the record does not match its checksum under this key
   */
  public static Versioned decode(Key key, ByteBuffer stored) throws CorruptRecordException {
    check(stored, stored.limit());
    int valueAt = headerBytes(stored);
    byte[] value = new byte[stored.limit() - valueAt];
    stored.get(valueAt, value);
    Version version = versionOf(stored);
    RecordKind kind = kindOf(stored);
    long expiry = stored.getLong(EXPIRY_AT);
    int from = stored.get(FROM_AT);
    if (stored.get(0) == FORMAT_WITHOUT_CHECKSUM) {
      Versioned record =
          kind == RecordKind.TOMBSTONE
              ? Versioned.tombstone(version, from)
              : Versioned.live(version, expiry, from, value);
      return record.sealed(key);
    }
    int checksum = stored.getInt(CHECKSUM_AT);
    Versioned record = Versioned.received(version, kind, expiry, from, value, checksum);
    if (!record.isIntact(key)) {
      throw new ChecksumMismatchException(version);
    }
    return record;
  }

  /**
   * Decodes a record without its value, with the checksum of the stored bytes. If the record is
   * damaged, this checksum differs from that of other copies.
   *
   * @param stored starts with the complete record
   */
  static Versioned decodeWithoutValue(Key key, byte[] stored, int storedBytes)
      throws CorruptRecordException {
    ByteBuffer header = ByteBuffer.wrap(stored);
    check(header, storedBytes);
    int valueAt = headerBytes(header);
    return Versioned.withoutValue(
        key,
        versionOf(header),
        kindOf(header),
        header.getLong(EXPIRY_AT),
        header.get(FROM_AT),
        stored,
        valueAt,
        storedBytes - valueAt);
  }

  /** The fields that a writer needs, from a header; see {@link #version}. */
  static RecordHead head(ByteBuffer header, int storedBytes) throws CorruptRecordException {
    check(header, storedBytes);
    return new RecordHead(
        versionOf(header), kindOf(header) == RecordKind.TOMBSTONE, header.get(FROM_AT));
  }

  private static Version versionOf(ByteBuffer header) {
    return new Version(header.getLong(STAMP_AT), header.getInt(WRITER_AT));
  }

  private static RecordKind kindOf(ByteBuffer header) throws CorruptRecordException {
    try {
      return RecordKind.of(header.get(KIND_AT));
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(String.valueOf(e.getMessage()));
    }
  }

  private static void check(ByteBuffer header, int storedBytes) throws CorruptRecordException {
    if (storedBytes < HEADER_BYTES_MIN) {
      throw cutShort(storedBytes);
    }
    if (header.get(0) != FORMAT && header.get(0) != FORMAT_WITHOUT_CHECKSUM) {
      throw new CorruptRecordException("unknown record format " + header.get(0));
    }
    int headerBytes = headerBytes(header);
    if (storedBytes < headerBytes) {
      throw cutShort(storedBytes);
    }
    long expiry = header.getLong(EXPIRY_AT);
    RecordKind kind = kindOf(header);
    if (kind == RecordKind.TYPED_VALUE && header.get(0) == FORMAT_WITHOUT_CHECKSUM) {
      throw new CorruptRecordException("a record of format 1 with a media type");
    }
    if (kind == RecordKind.TOMBSTONE && (storedBytes > headerBytes || expiry != Versioned.NEVER)) {
      throw new CorruptRecordException("a tombstone with a value or an expiry");
    }
    if (header.getLong(STAMP_AT) < 0 || expiry < 0 || header.get(FROM_AT) < 1) {
      throw new CorruptRecordException("a record with a negative stamp, expiry or copy count");
    }
  }

  private static int headerBytes(ByteBuffer header) {
    return header.get(0) == FORMAT_WITHOUT_CHECKSUM ? HEADER_BYTES_MIN : HEADER_BYTES;
  }

  private static CorruptRecordException cutShort(int storedBytes) {
    return new CorruptRecordException("a record of " + storedBytes + " bytes is cut short");
  }
}
