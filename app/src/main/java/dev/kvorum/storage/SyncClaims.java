package dev.kvorum.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * What batches in the write-ahead log say about the log before them: each begins with the sequence
 * number that was synced when the batch was made. A batch behind unreadable blocks thus proves that
 * these had been synced, also when {@link SyncedSequence} is older than the log (ADR 0016).
 *
 * <p>Only the beginnings of records are read, in RocksDB's log format: blocks of 32 KiB; records of
 * a masked CRC32C, a length and a type (and the log's number in a recycled log). A claim is true
 * for the store's whole life, so it does not matter in which log, or how old, it is found. A format
 * that is not known has no claims.
 */
final class SyncClaims {
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int CRC_BYTES = 4;
  private static final int TYPE_AT = 6;
  private static final int HEADER_BYTES = 7;
  private static final int RECYCLABLE_HEADER_BYTES = 11;
  private static final int BATCH_HEADER_BYTES = 12;
  private static final byte LOG_DATA = 3;
  private static final int MAGIC = 0x4b56_5331;
  private static final int CLAIM_BYTES = Integer.BYTES + Long.BYTES;

  private SyncClaims() {}

  /** A claim, as a write batch carries it among its log data. */
  static byte[] encode(long sequence) {
    return ByteBuffer.allocate(CLAIM_BYTES).putInt(MAGIC).putLong(sequence).array();
  }

  /** The newest claim in the logs of a directory; 0 when there is none. Blocks. */
  static long newest(Path directory) throws IOException {
    long newest = 0;
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : logs) {
        newest = Math.max(newest, newestIn(log));
      }
    }
    return newest;
  }

  private static long newestIn(Path log) throws IOException {
    long newest = 0;
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C checksum = new CRC32C();
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      while (fill(block, channel)) {
        newest = Math.max(newest, newestIn(block, checksum));
      }
    }
    return newest;
  }

  private static boolean fill(ByteBuffer block, FileChannel channel) throws IOException {
    block.clear();
    while (block.hasRemaining() && channel.read(block) > 0) {
      // A short read is not the end yet.
    }
    block.flip();
    return block.hasRemaining();
  }

  private static long newestIn(ByteBuffer block, CRC32C checksum) {
    long newest = 0;
    int at = 0;
    while (at + HEADER_BYTES <= block.limit()) {
      int length = Short.toUnsignedInt(block.getShort(at + CRC_BYTES));
      int header = headerBytes(block.get(at + TYPE_AT));
      if (header == 0 || at + header + length > block.limit()) {
        // The next record that can be found begins with the next block.
        return newest;
      }
      if (isIntact(block, at, header + length, checksum)) {
        newest = Math.max(newest, claimOf(block, at + header, length));
      }
      at += header + length;
    }
    return newest;
  }

  /** 0 for a type that no writer of this store's logs uses; 0 is also what fills a block's end. */
  private static int headerBytes(byte type) {
    if (type >= 1 && type <= 4) {
      return HEADER_BYTES;
    }
    return type >= 5 && type <= 8 ? RECYCLABLE_HEADER_BYTES : 0;
  }

  private static boolean isIntact(ByteBuffer block, int at, int bytes, CRC32C checksum) {
    checksum.reset();
    checksum.update(block.duplicate().position(at + TYPE_AT).limit(at + bytes));
    int crc = (int) checksum.getValue();
    // RocksDB stores it rotated and shifted, since checksums of checksums are weak.
    return ((crc >>> 15 | crc << 17) + 0xa282ead8) == block.getInt(at);
  }

  /** The claim at the beginning of a batch; 0 for the later parts of one, which carry none. */
  private static long claimOf(ByteBuffer block, int batchAt, int length) {
    int tagAt = batchAt + BATCH_HEADER_BYTES;
    int claimAt = tagAt + 2;
    if (length < BATCH_HEADER_BYTES + 2 + CLAIM_BYTES
        || block.get(tagAt) != LOG_DATA
        || block.get(tagAt + 1) != CLAIM_BYTES) {
      return 0;
    }
    ByteBuffer claim = block.duplicate().order(ByteOrder.BIG_ENDIAN);
    return claim.getInt(claimAt) == MAGIC ? claim.getLong(claimAt + Integer.BYTES) : 0;
  }
}
