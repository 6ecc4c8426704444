package dev.kvorum.rpc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that wait for slow peers on all connections of this node: they use memory
 * outside the heap, which is scarce. Safe for use by many threads.
 */
public final class OutboundBudget {
  /** One connection may use only this fraction of the budget. */
  private static final int SHARES = 8;

  private final AtomicLong bytes = new AtomicLong();
  private final long bytesMax;

  /**
   * Creates an unused budget.
   *
   * @param bytesMax largest number of waiting bytes; one connection may use an eighth of it
   */
  public OutboundBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Bytes that may wait on one connection. */
  long connectionMax() {
    return bytesMax / SHARES;
  }

  /** Returns whether so much is queued that a connection with a backlog may not add to it. */
  boolean isFull() {
    return bytes.get() > bytesMax;
  }

  /** Records that a connection's backlog has grown by this many bytes, or shrunk if negative. */
  void grew(long by) {
    bytes.addAndGet(by);
  }

  /** Waiting bytes, to within {@link FrameWriter#UNCOUNTED} bytes per connection. */
  long bytes() {
    return bytes.get();
  }
}
