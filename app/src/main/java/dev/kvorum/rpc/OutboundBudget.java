package dev.kvorum.rpc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes wait for slow peers, on all connections of this node together: they are memory
 * outside of the heap, of which there is little. Safe for use by many threads.
 */
public final class OutboundBudget {
  /** No peer may hold all of it: the share of one connection. */
  private static final int SHARES = 8;

  private final AtomicLong bytes = new AtomicLong();
  private final long bytesMax;

  /**
   * Nothing waits yet.
   *
   * @param bytesMax how much may wait; on one connection an eighth of that
   */
  public OutboundBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** How much may wait on one connection. */
  long connectionMax() {
    return bytesMax / SHARES;
  }

  /** Whether so much is queued that a connection with a backlog may not add to it. */
  boolean isFull() {
    return bytes.get() > bytesMax;
  }

  /** A connection's backlog has grown, or shrunk where this is negative. */
  void grew(long by) {
    bytes.addAndGet(by);
  }

  /** How much waits, to within {@link FrameWriter#UNCOUNTED} bytes a connection. */
  long bytes() {
    return bytes.get();
  }
}
