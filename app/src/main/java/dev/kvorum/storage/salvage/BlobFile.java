package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.files.FileHoles;
import dev.kvorum.storage.rocks.LogFragments;
import dev.kvorum.storage.rocks.RocksOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one of RocksDB's blob files without RocksDB: the values to which tables refer, and all
 * entries in the order of their keys, in which flushes and compactions write them. Confined to one
 * thread.
 *
 * <p>The format, little-endian ({@code db/blob/blob_log_format.h}): a header of 30 bytes that is
 * not needed here, entries, and a footer of 32 bytes once the file is complete. An entry is a
 * header of 32 bytes (lengths of key and value, expiry, masked CRC32C of these, masked CRC32C of
 * key and value), the key and the value. Values are not compressed ({@link RocksOptions}).
 */
final class BlobFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BlobFile.class);

  private static final int FILE_HEADER_BYTES = 30;
  private static final int FOOTER_BYTES = 32;
  private static final int MAGIC = 0x248f37;

  private static final int ENTRY_HEADER_BYTES = 32;
  private static final int VALUE_LENGTH_AT = 8;
  private static final int HEADER_CRC_AT = 24;
  private static final int CRC_AT = 28;

  private final Path path;
  private final long number;
  private final long size;
  private final FileChannel channel;
  private final ByteBuffer front =
      ByteBuffer.allocate(ENTRY_HEADER_BYTES + Key.BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();
  private boolean isAtEnd;
  private long freedTo = FILE_HEADER_BYTES;
  private Entry entry = new Entry(this, new byte[0], FILE_HEADER_BYTES, 0, 0);

  /**
   * An entry whose value is not read yet.
   *
   * @param at where its value begins in the file
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(BlobFile file, byte[] key, long at, int length, int crc) {
    /** The value; empty if it does not match its checksum. Blocks. */
    Optional<byte[]> value() {
      return file.value(this);
    }
  }

  private BlobFile(Path path, long number, long size, FileChannel channel) {
    this.path = path;
    this.number = number;
    this.size = size;
    this.channel = channel;
  }

  /**
   * Opens a file before its first entry. Blocks.
   *
   * @throws NumberFormatException if it has no number for a name
   */
  static BlobFile open(Path path) throws IOException {
    long number = LogFragments.number(path);
    return new BlobFile(
        path, number, Files.size(path), FileChannel.open(path, StandardOpenOption.READ));
  }

  /** Moves to the next entry; false at the end and where the rest is unreadable. Blocks. */
  boolean next() {
    long at = end(entry);
    long left = size - at;
    // A file that was not completed has no footer.
    if (left > 0 && isRead(front, at, (int) Math.min(left, front.capacity())) && !isFooter(left)) {
      if (isEntry(left)) {
        entry = entryAt(at);
        return true;
      }
      log.warn("{} cannot be read behind byte {}", path, at);
    }
    isAtEnd = true;
    return false;
  }

  private static long end(Entry entry) {
    return entry.at + entry.length;
  }

  private boolean isFooter(long left) {
    return left == FOOTER_BYTES && front.getInt(0) == MAGIC;
  }

  private boolean isEntry(long left) {
    if (left < ENTRY_HEADER_BYTES
        || masked(front.duplicate().limit(HEADER_CRC_AT)) != front.getInt(HEADER_CRC_AT)) {
      return false;
    }
    long keyLength = front.getLong(0);
    long length = front.getLong(VALUE_LENGTH_AT);
    long room = left - ENTRY_HEADER_BYTES;
    return keyLength >= 1
        && keyLength <= Math.min(Key.BYTES_MAX, room)
        && length >= 0
        && length <= Math.min(Integer.MAX_VALUE, room - keyLength);
  }

  private Entry entryAt(long at) {
    byte[] key = new byte[(int) front.getLong(0)];
    front.get(ENTRY_HEADER_BYTES, key);
    long valueAt = at + ENTRY_HEADER_BYTES + key.length;
    return new Entry(
        this, key, valueAt, (int) front.getLong(VALUE_LENGTH_AT), front.getInt(CRC_AT));
  }

  /** The current entry. */
  Entry entry() {
    return entry;
  }

  /** Bytes that {@link #free} would free. */
  long freeable() {
    return Math.max(0, current() - freedTo);
  }

  /** Where the current entry begins, or the rest of the file behind the last one. */
  private long current() {
    return isAtEnd ? end(entry) : entry.at - entry.key.length - ENTRY_HEADER_BYTES;
  }

  /**
   * Frees the space of all entries before the current one. An entry without a readable value takes
   * their place, so that the file can be read from its beginning again. Blocks.
   */
  void free() throws IOException {
    long to = current();
    ByteBuffer placeholder =
        ByteBuffer.allocate(ENTRY_HEADER_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
    placeholder.putLong(1).putLong(to - FILE_HEADER_BYTES - placeholder.capacity()).putLong(0);
    placeholder.putInt(masked(placeholder.duplicate().flip())).rewind();
    try (FileChannel writing = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (placeholder.hasRemaining()) {
        writing.write(placeholder, FILE_HEADER_BYTES + placeholder.position());
      }
    }
    FileHoles.punch(path, FILE_HEADER_BYTES + placeholder.capacity(), to);
    freedTo = to;
  }

  /** The number by which tables refer to it. */
  long number() {
    return number;
  }

  /** The value to which a table refers under a key; empty if there is none intact. Blocks. */
  Optional<byte[]> value(byte[] key, BlobReference reference) {
    long at = reference.offset() - key.length - ENTRY_HEADER_BYTES;
    boolean isEntry =
        at >= FILE_HEADER_BYTES
            && reference.length() >= 0
            && reference.length() <= size - reference.offset()
            && isRead(front, at, ENTRY_HEADER_BYTES)
            && front.getLong(VALUE_LENGTH_AT) == reference.length();
    return isEntry
        ? value(
            new Entry(
                this, key, reference.offset(), (int) reference.length(), front.getInt(CRC_AT)))
        : Optional.empty();
  }

  private Optional<byte[]> value(Entry of) {
    ByteBuffer value = ByteBuffer.allocate(of.length);
    if (!isRead(value, of.at, of.length)) {
      return Optional.empty();
    }
    checksum.reset();
    checksum.update(of.key);
    checksum.update(value.array());
    boolean isIntact = LogFragments.masked(checksum) == of.crc;
    return isIntact ? Optional.of(value.array()) : Optional.empty();
  }

  private int masked(ByteBuffer bytes) {
    checksum.reset();
    checksum.update(bytes);
    return LogFragments.masked(checksum);
  }

  private boolean isRead(ByteBuffer into, long from, int length) {
    into.clear().limit(length);
    try {
      while (into.hasRemaining()) {
        if (channel.read(into, from + into.position()) < 0) {
          throw new IOException("ends within an entry");
        }
      }
    } catch (IOException e) {
      log.warn("{} cannot be read at byte {}", path, from, e);
      return false;
    }
    into.flip();
    return true;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("Cannot close {}", path, e);
    }
  }
}
