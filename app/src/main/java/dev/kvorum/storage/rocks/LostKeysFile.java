package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.LostKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * {@link LostKeys} in a text file beside the store: a line of slots, then for each range a line
 * with its start and end in hexadecimal. An open bound is {@code -}.
 */
final class LostKeysFile {
  private static final String OPEN = "-";
  private static final HexFormat HEX = HexFormat.of();

  private final Path file;

  LostKeysFile(Path file) {
    this.file = file;
  }

  /** Reads the file. Blocks. */
  LostKeys read() throws IOException {
    if (!Files.exists(file)) {
      return LostKeys.NONE;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    try {
      BitSet slots = BitSet.valueOf(HEX.parseHex(lines.getFirst()));
      List<KeyRange> ranges = new ArrayList<>();
      lines.subList(1, lines.size()).forEach(line -> ranges.add(range(line)));
      return new LostKeys(ranges, slots);
    } catch (RuntimeException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** The range of a line. */
  static KeyRange range(String line) {
    String[] bounds = line.split(" ", 2);
    return new KeyRange(key(bounds[0]), true, key(bounds[1]));
  }

  /** A line for a range. */
  static String line(KeyRange range) {
    return bound(range.start()) + ' ' + bound(range.end());
  }

  static Optional<Key> key(String bound) {
    return bound.equals(OPEN) ? Optional.empty() : Optional.of(Key.ofBytes(HEX.parseHex(bound)));
  }

  /** Replaces the file's contents, durably. Blocks. */
  void write(LostKeys lost) throws IOException {
    if (lost.isEmpty()) {
      Files.deleteIfExists(file);
      sync(file.resolveSibling("."));
      return;
    }
    StringBuilder text = new StringBuilder(HEX.formatHex(lost.slots().toByteArray()));
    lost.ranges().forEach(range -> text.append('\n').append(line(range)));
    replace(file, text.toString());
  }

  /** Replaces the contents of a file, durably. Blocks. */
  static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".fresh");
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    sync(file.resolveSibling("."));
  }

  static String bound(Optional<Key> key) {
    return key.map(bytes -> HEX.formatHex(bytes.bytes())).orElse(OPEN);
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }
}
