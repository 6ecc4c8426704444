package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Reads the fragments of a file in RocksDB's log format, the format of write-ahead logs and
 * manifests. A file consists of blocks of 32 KiB. A fragment consists of a masked CRC32C, a length,
 * a type (and the log's number in a recycled log) and a body.
 */
public final class LogFragments {
  static final byte FULL = 1;
  static final byte FIRST = 2;
  static final byte MIDDLE = 3;
  static final byte LAST = 4;

  /** Offset of the types in a recycled log. */
  private static final byte RECYCLED = 4;

  private static final Pattern LOG = Pattern.compile("[0-9]{1,18}\\.log");
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int CRC_BYTES = 4;
  private static final int TYPE_AT = 6;
  private static final int HEADER_BYTES = 7;
  private static final int RECYCLED_HEADER_BYTES = 11;

  private LogFragments() {}

  /** Receives the contents of a file. */
  interface Reader {
    /**
     * A fragment with a matching checksum.
     *
     * @param type one of the four types
     * @param body its bytes, little-endian; valid only until this returns
     * @param end offset of its end in the file
     */
    void intact(byte type, ByteBuffer body, long end);

    /** A fragment of the older log whose file was recycled, behind the end of the newer one. */
    default void ofOlderLog(byte type, ByteBuffer body, long end) {
      intact(type, body, end);
    }

    /** Bytes that are no fragment, or a fragment with a wrong checksum; also zeros at the end. */
    default void unreadable() {}
  }

  /** Truncates a file, durably. Blocks. */
  static void cut(Path file, long end) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(end);
      channel.force(true);
    }
  }

  /** Cuts a file behind the last complete record before the first corruption. Blocks. */
  public static void cutAtCorruption(Path file) throws IOException {
    CompleteRecords complete = new CompleteRecords();
    read(file, complete);
    cut(file, complete.end);
  }

  /** Finds the end of the records that can be read without a gap. */
  private static final class CompleteRecords implements Reader {
    private boolean isWithin;
    private boolean isBroken;
    private long end;

    @Override
    public void intact(byte type, ByteBuffer body, long fragmentEnd) {
      boolean isFirst = type == FULL || type == FIRST;
      isBroken |= isFirst == isWithin;
      isWithin = type == FIRST || type == MIDDLE;
      if (!isBroken && !isWithin) {
        end = fragmentEnd;
      }
    }

    @Override
    public void unreadable() {
      isBroken = true;
    }
  }

  /** Reads a file from start to end. Blocks. */
  static void read(Path file, Reader reader) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C checksum = new CRC32C();
    // Its low bits are in the fragments of a log; a manifest's have none.
    int number = isLog(file) ? (int) number(file) : 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long start = 0;
      while (fill(block, channel)) {
        read(block, start, number, checksum, reader);
        start += block.limit();
      }
    }
  }

  /** The write-ahead logs in a directory, oldest first. Blocks. */
  public static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(LogFragments::isLog)
          .sorted(Comparator.comparingLong(LogFragments::number))
          .toList();
    }
  }

  private static boolean isLog(Path file) {
    return LOG.matcher(file.getFileName().toString()).matches();
  }

  /**
   * The number that names one of RocksDB's files; newer ones have larger numbers.
   *
   * @throws NumberFormatException if there is none
   */
  public static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private static boolean fill(ByteBuffer block, FileChannel channel) throws IOException {
    block.clear();
    while (block.hasRemaining() && channel.read(block) > 0) {
      // A short read is not the end yet.
    }
    block.flip();
    return block.hasRemaining();
  }

  private static void read(
      ByteBuffer block, long start, int number, CRC32C checksum, Reader reader) {
    int at = 0;
    int header = HEADER_BYTES;
    // The rest of a block behind the last header that fits is unused.
    while (at + header <= block.limit()) {
      int length = Short.toUnsignedInt(block.getShort(at + CRC_BYTES));
      byte type = block.get(at + TYPE_AT);
      header = headerBytes(type);
      int end = at + header + length;
      if (header == 0 || end > block.limit()) {
        // The next fragment that can be located starts with the next block.
        reader.unreadable();
        return;
      }
      if (isIntact(block, at, end, checksum)) {
        ByteBuffer body = block.slice(at + header, length).order(ByteOrder.LITTLE_ENDIAN);
        if (type <= LAST) {
          reader.intact(type, body, start + end);
        } else if (block.getInt(at + HEADER_BYTES) == number) {
          reader.intact((byte) (type - RECYCLED), body, start + end);
        } else {
          reader.ofOlderLog((byte) (type - RECYCLED), body, start + end);
        }
      } else {
        reader.unreadable();
      }
      at = end;
    }
  }

  /** 0 for a type that no writer of this store's files uses; 0 also fills the end of a block. */
  private static int headerBytes(byte type) {
    if (type >= FULL && type <= LAST) {
      return HEADER_BYTES;
    }
    return type >= FULL + RECYCLED && type <= LAST + RECYCLED ? RECYCLED_HEADER_BYTES : 0;
  }

  private static boolean isIntact(ByteBuffer block, int at, int end, CRC32C checksum) {
    checksum.reset();
    checksum.update(block.duplicate().position(at + TYPE_AT).limit(end));
    return masked(checksum) == block.getInt(at);
  }

  /**
   * The checksum as RocksDB stores it: rotated and shifted, since checksums of checksums are weak.
   */
  public static int masked(CRC32C checksum) {
    int crc = (int) checksum.getValue();
    return (crc >>> 15 | crc << 17) + 0xa282ead8;
  }
}
