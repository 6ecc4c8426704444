package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Key ranges in text files: a line with start and end in hexadecimal, where {@code -} is an open
 * bound.
 */
final class KeyRangeFile {
  private static final String OPEN = "-";
  private static final HexFormat HEX = HexFormat.of();

  private KeyRangeFile() {}

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

  static String bound(Optional<Key> key) {
    return key.map(bytes -> HEX.formatHex(bytes.bytes())).orElse(OPEN);
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

  /** Makes the entries of a directory durable. Blocks. */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }
}
