package dev.kvorum.http;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The places for range reads on this node. Safe for use by many threads. */
public final class RangeStreamLimiter {
  private final int streamsMax;
  private final AtomicInteger taken = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Places of which none is taken.
   *
   * @param streamsMax how many there are
   */
  public RangeStreamLimiter(int streamsMax) {
    this.streamsMax = streamsMax;
  }

  /** How many range reads are under way. */
  public int taken() {
    return taken.get();
  }

  /** Gives no more places. */
  public void close() {
    closed = true;
  }

  /** Whether this node takes no more requests on. */
  boolean isClosed() {
    return closed;
  }

  /** Takes a place, or returns null if there is none. */
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

  /** A place that was taken. */
  final class Place {
    private final AtomicBoolean held = new AtomicBoolean(true);

    /** Gives it back. */
    void free() {
      if (held.compareAndSet(true, false)) {
        taken.decrementAndGet();
      }
    }
  }
}
