package dev.kvorum.data;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A record's key: non-empty UTF-8 text, stored and ordered as bytes (unsigned).
 *
 * <p>The bytes are never copied: the caller that creates a key hands over its array.
 */
public final class Key implements Comparable<Key> {
  /** Longest key in bytes; fixed by the API contract and the frame layout. */
  public static final int BYTES_MAX = 1024;

  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Wraps the bytes of a key.
   *
   * @throws IllegalArgumentException if there are no bytes or more than {@link #BYTES_MAX}
   */
  public static Key ofBytes(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a key has 1 to " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    return new Key(bytes);
  }

  /** The key of a text, with its UTF-8 bytes. */
  public static Key of(String text) {
    return ofBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The key's own bytes; do not modify them. */
  public byte[] bytes() {
    return bytes;
  }

  /** The smallest larger key; empty for the largest key. */
  public Optional<Key> next() {
    return bytes.length < BYTES_MAX
        ? Optional.of(new Key(Arrays.copyOf(bytes, bytes.length + 1)))
        : prefixEnd();
  }

  /** The smallest key behind all that begin with this one; empty if there is none. */
  public Optional<Key> prefixEnd() {
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

  /** The key in URL encoding, which is safe in a log line. */
  public String encoded() {
    return URLEncoder.encode(toString(), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
