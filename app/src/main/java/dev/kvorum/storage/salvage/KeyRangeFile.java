package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
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
}
