package dev.kvorum.storage.engine;

import java.nio.ByteBuffer;

/** A number about the store itself, in the {@code meta} family: eight bytes. */
public final class MetaNumber {
  private MetaNumber() {}

  public static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number under a key, or 0 if there is none. */
  static long read(Engine engine, byte[] key, String name)
      throws EngineException, CorruptRecordException {
    byte[] stored = engine.get(Engine.Family.META, key);
    return stored == null ? 0 : decode(stored, name);
  }

  public static long decode(byte[] stored, String name) throws CorruptRecordException {
    if (stored.length != Long.BYTES || ByteBuffer.wrap(stored).getLong() < 0) {
      throw new CorruptRecordException(name + " is no positive number");
    }
    return ByteBuffer.wrap(stored).getLong();
  }
}
