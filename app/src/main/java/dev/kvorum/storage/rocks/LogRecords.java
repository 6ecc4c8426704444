package dev.kvorum.storage.rocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Puts the beginnings of records together from their fragments. */
abstract class LogRecords implements LogFragments.Reader {
  private final ByteBuffer start;
  private boolean hasBegun;

  /** Keeps up to this number of bytes of a record. */
  LogRecords(int bytesMax) {
    start = ByteBuffer.allocate(bytesMax).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A record of which all fragments are intact.
   *
   * @param beginning valid only until this returns
   * @param end offset of the record's end in the file
   */
  protected abstract void complete(ByteBuffer beginning, long end);

  @Override
  public final void intact(byte type, ByteBuffer body, long end) {
    if (type == LogFragments.FULL || type == LogFragments.FIRST) {
      start.clear();
      hasBegun = true;
    }
    start.put(body.slice(0, Math.min(body.limit(), start.remaining())));
    if (hasBegun && (type == LogFragments.FULL || type == LogFragments.LAST)) {
      complete(start.flip(), end);
      hasBegun = false;
      start.clear();
    }
  }

  @Override
  public void unreadable() {
    hasBegun = false;
  }
}
