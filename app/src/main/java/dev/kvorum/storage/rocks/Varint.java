package dev.kvorum.storage.rocks;

import java.nio.ByteBuffer;

/** Numbers as RocksDB stores them in seven bits a byte, the lowest first. */
public final class Varint {
  private Varint() {}

  /**
   * Reads a number; its last byte has the highest bit clear.
   *
   * @throws java.nio.BufferUnderflowException if the buffer ends before it
   */
  public static long read(ByteBuffer from) {
    long number = 0;
    byte next = -1;
    for (int shift = 0; next < 0 && shift < Long.SIZE; shift += 7) {
      next = from.get();
      number |= (long) (next & 0x7f) << shift;
    }
    return number;
  }
}
