package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.topology.MemberId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The keys of hints on disk: length of the target's name, name, version, record key; so that a
 * target's hints lie together, oldest version first.
 */
final class HintKeys {
  private static final int VERSION_BYTES = Long.BYTES + Integer.BYTES;

  private HintKeys() {}

  /** A key taken apart. */
  record Parts(MemberId target, Version version, Key key) {}

  static byte[] of(MemberId target, Version version, Key key) {
    byte[] name = target.name().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + name.length + VERSION_BYTES + key.bytes().length)
        .put((byte) name.length)
        .put(name)
        .putLong(version.stamp())
        .putInt(version.writer())
        .put(key.bytes())
        .array();
  }

  /** What all keys of a target begin with. */
  static byte[] first(MemberId target) {
    byte[] name = target.name().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + name.length).put((byte) name.length).put(name).array();
  }

  /** The first key after all of a target; a name ends with a letter or digit, so no overflow. */
  static byte[] end(MemberId target) {
    byte[] end = first(target);
    end[end.length - 1]++;
    return end;
  }

  static Parts parse(byte[] stored) throws CorruptRecordException {
    int nameBytes = stored.length == 0 ? 0 : stored[0];
    int keyAt = 1 + nameBytes + VERSION_BYTES;
    if (nameBytes < 1 || stored.length <= keyAt) {
      throw new CorruptRecordException("a hint's key of " + stored.length + " bytes is cut short");
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(stored);
      byte[] key = new byte[stored.length - keyAt];
      bytes.get(keyAt, key);
      return new Parts(
          new MemberId(new String(stored, 1, nameBytes, StandardCharsets.UTF_8)),
          new Version(bytes.getLong(1 + nameBytes), bytes.getInt(1 + nameBytes + Long.BYTES)),
          Key.ofBytes(key));
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException("a hint's key: " + e.getMessage());
    }
  }
}
