package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.topology.MemberId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of a hint on disk: length of the target's name, name, version, record key. A target's
 * hints are therefore adjacent, oldest version first.
 */
public final class HintKey {
  private static final int VERSION_BYTES = Long.BYTES + Integer.BYTES;

  private final byte[] bytes;

  private HintKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The parts of a key. */
  record Parts(MemberId target, Version version, Key key) {}

  /** Wraps a key from disk without validation. */
  static HintKey ofStored(byte[] bytes) {
    return new HintKey(bytes);
  }

  public static HintKey of(MemberId target, Version version, Key key) {
    byte[] name = target.name().getBytes(StandardCharsets.UTF_8);
    byte[] bytes =
        ByteBuffer.allocate(1 + name.length + VERSION_BYTES + key.bytes().length)
            .put((byte) name.length)
            .put(name)
            .putLong(version.stamp())
            .putInt(version.writer())
            .put(key.bytes())
            .array();
    return new HintKey(bytes);
  }

  /** The common prefix of all keys of a target. */
  static byte[] first(MemberId target) {
    byte[] name = target.name().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + name.length).put((byte) name.length).put(name).array();
  }

  /**
   * The first key after all keys of a target; a name ends with a letter or digit, so no overflow.
   */
  static byte[] end(MemberId target) {
    byte[] end = first(target);
    end[end.length - 1]++;
    return end;
  }

  public byte[] bytes() {
    return bytes;
  }

  Parts parse() throws CorruptRecordException {
    int nameBytes = bytes.length == 0 ? 0 : bytes[0];
    int keyAt = 1 + nameBytes + VERSION_BYTES;
    if (nameBytes < 1 || bytes.length <= keyAt) {
      throw new CorruptRecordException("a hint's key of " + bytes.length + " bytes is cut short");
    }
    try {
      ByteBuffer stored = ByteBuffer.wrap(bytes);
      byte[] key = new byte[bytes.length - keyAt];
      stored.get(keyAt, key);
      return new Parts(
          new MemberId(new String(bytes, 1, nameBytes, StandardCharsets.UTF_8)),
          new Version(stored.getLong(1 + nameBytes), stored.getInt(1 + nameBytes + Long.BYTES)),
          Key.ofBytes(key));
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException("a hint's key: " + e.getMessage());
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HintKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
