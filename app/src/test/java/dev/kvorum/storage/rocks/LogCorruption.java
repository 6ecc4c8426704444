package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** The write-ahead log of a store that is not open, to be torn as by a power loss or corrupted. */
public final class LogCorruption {
  private static final int PAGE = 4096;
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 11;
  private static final byte RECYCLED_FULL = 5;

  private LogCorruption() {}

  /** What a power loss leaves of a record behind the last one that was synced. */
  public enum Tear {
    /** All of it but a page in the middle. */
    ZERO_PAGE,
    /** Its first page, and the length of all. */
    FIRST_PAGE,
    /** All but its first page. */
    NOT_FIRST_PAGE,
    /** What other files had in its blocks. */
    OLD_BYTES,
    /** A part of it, and a shorter file. */
    CUT
  }

  /** The log that was written to last. */
  private static Path newest(Path store) {
    return StoreFiles.like(store, "", ".log").stream()
        .max(Comparator.comparing(Path::getFileName))
        .orElseThrow();
  }

  /** Appends a record that was never acknowledged, of some pages, and of which some is missing. */
  public static void tear(Path store, Tear tear, RandomGenerator random) {
    Path log = newest(store);
    try (FileChannel file =
        FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = end(file, number(log));
      // In a block of its own, so that it is one fragment.
      long at = BLOCK - end % BLOCK < 6 * PAGE ? (end / BLOCK + 1) * BLOCK : end;
      byte[] record = record(number(log), 5 * PAGE + random.nextInt(PAGE / 2), random);
      int length = record.length;
      switch (tear) {
        case ZERO_PAGE -> zero(record, 2 * PAGE, 3 * PAGE);
        case FIRST_PAGE -> zero(record, PAGE, length);
        case NOT_FIRST_PAGE -> zero(record, 0, PAGE);
        case OLD_BYTES -> random.nextBytes(record);
        case CUT -> length = 1 + random.nextInt(length - 1);
      }
      file.write(ByteBuffer.wrap(record, 0, length), at);
      if (tear == Tear.CUT) {
        file.truncate(at + length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flips a bit of what was synced of the log, in its middle half. */
  public static void flip(Path store, RandomGenerator random) {
    Path log = newest(store);
    try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ)) {
      long end = end(file, number(log));
      StoreFiles.flip(log, end / 4 + random.nextLong(Math.max(1, end / 2)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flips a bit in each of some tables, in the half where the records are. */
  public static void flipTables(Path store, RandomGenerator random) {
    List<Path> tables = StoreFiles.tables(store);
    for (Path table : tables) {
      StoreFiles.flip(table, random.nextLong(Math.max(1, table.toFile().length() / 2)));
    }
  }

  private static int number(Path log) {
    String name = log.getFileName().toString();
    return Integer.parseInt(name.substring(0, name.indexOf('.')));
  }

  /** Where the log's own records end; what follows is of the log that it was written over. */
  private static long end(FileChannel file, int number) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    long at = 0;
    while (true) {
      if (BLOCK - at % BLOCK < HEADER) {
        at = (at / BLOCK + 1) * BLOCK;
      }
      header.clear();
      if (file.read(header, at) < HEADER) {
        return at;
      }
      int length = Short.toUnsignedInt(header.getShort(4));
      byte type = header.get(6);
      boolean isRecycled = type >= RECYCLED_FULL && type < RECYCLED_FULL + 4;
      if (!isRecycled || header.getInt(7) != number) {
        return at;
      }
      at += HEADER + length;
    }
  }

  private static byte[] record(int number, int length, RandomGenerator random) {
    byte[] body = new byte[length - HEADER];
    random.nextBytes(body);
    ByteBuffer record = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    record.position(4).putShort((short) body.length).put(RECYCLED_FULL).putInt(number).put(body);
    CRC32C checksum = new CRC32C();
    checksum.update(record.array(), 6, length - 6);
    record.putInt(0, LogFragments.masked(checksum));
    return record.array();
  }

  private static void zero(byte[] bytes, int from, int to) {
    Arrays.fill(bytes, from, to, (byte) 0);
  }
}
