package dev.kvorum.http;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Limits concurrent range reads on this node. Safe for use by many threads. */
public final class RangeStreamLimiter {
  private final int streamsMax;
  private final AtomicInteger taken = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Creates a limiter with all places free.
   *
   * @param streamsMax largest number of concurrent range reads
   */
  public RangeStreamLimiter(int streamsMax) {
    this.streamsMax = streamsMax;
  }

  /** Number of range reads in flight. */
  public int taken() {
    return taken.get();
  }

  /** Stops admitting range reads. */
  public void close() {
    closed = true;
  }

  /** Returns whether this node has stopped admitting range reads. */
  boolean isClosed() {
    return closed;
  }

  /** Takes a place, or returns null when none is free. */
  @Nullable Place take() {
    if (closed) {
      return null;
    }
    if (taken.incrementAndGet() > streamsMax) {
      taken.decrementAndGet();
      return null;
    }
    return new Place();
  }

  /** A place for one range read. */
  final class Place {
    private final AtomicBoolean held = new AtomicBoolean(true);

    /** Releases the place. */
    void free() {
      if (held.compareAndSet(true, false)) {
        taken.decrementAndGet();
      }
    }
  }
}
