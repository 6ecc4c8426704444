package dev.kvorum.auth;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits a rate by the generic cell rate algorithm (GCRA, ITU-T I.371): a token bucket whose state
 * is one time. Safe for use by many threads, without locks.
 */
public final class RequestRate {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;

  /** When a request is due if all before it had come at the permitted rate. */
  private final AtomicLong dueNanos;

  /** Creates a limit of which nothing is used. */
  public RequestRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.dueNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Counts a request. Returns false if it is one too many now; then it is not counted.
   *
   * @param perSecond requests per second, and how many can come at once, 1 to 1000000
   */
  public boolean take(int perSecond) {
    long interval = SECOND_NANOS / perSecond;
    while (true) {
      long due = dueNanos.get();
      long now = nanoTime.getAsLong();
      long ahead = Math.max(0, due - now) + interval;
      if (ahead > interval * perSecond) {
        return false;
      }
      if (dueNanos.compareAndSet(due, now + ahead)) {
        return true;
      }
    }
  }
}
