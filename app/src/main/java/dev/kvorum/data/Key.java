package dev.kvorum.data;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A record's key: non-empty UTF-8 text, kept as its bytes and ordered by them (unsigned).
 *
 * <p>The bytes are never copied: the caller that makes a key hands over its array.
 */
public final class Key implements Comparable<Key> {
  /** Longest key in bytes; fixed by the contract and by the frame layout. */
  public static final int BYTES_MAX = 1024;

  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Wraps the bytes of a key.
   *
   * @throws IllegalArgumentException when there are no bytes or more than {@link #BYTES_MAX}
   */
  public static Key ofBytes(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a key has 1 to " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    return new Key(bytes);
  }

  /** The key of this text, as {@link #ofBytes} of its UTF-8 form. */
  public static Key of(String text) {
    return ofBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The key's own bytes; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** The first key behind this one; empty behind the last key of all. */
  public Optional<Key> next() {
    if (bytes.length < BYTES_MAX) {
      return Optional.of(new Key(Arrays.copyOf(bytes, bytes.length + 1)));
    }
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(bytes, i + 1);
        next[i]++;
        return Optional.of(new Key(next));
      }
    }
    return Optional.empty();
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The key as it stands in a URL, which is safe in a line of a log. */
  public String encoded() {
    return URLEncoder.encode(toString(), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
