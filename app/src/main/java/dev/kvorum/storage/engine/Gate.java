package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Guards a resource that many threads use at a time until it is closed permanently.
 *
 * <p>Passing costs two compare-and-swaps and never waits. Who is inside when it closes is waited
 * for; so the guarded resource may be freed once {@link #close} returned true.
 */
public final class Gate {
  private final StampedLock lock = new StampedLock();
  private volatile boolean closed;

  /** A ticket to hand back to {@link #leave}, or 0 when the gate is closed. */
  long enter() {
    return closed ? 0 : lock.tryReadLock();
  }

  void leave(long ticket) {
    lock.unlockRead(ticket);
  }

  /** Admits no further thread and waits for those inside; false when they took too long. */
  boolean close(Duration timeout) {
    closed = true;
    try {
      // Never released: the lock itself keeps out threads that had passed the check above.
      return lock.tryWriteLock(timeout.toNanos(), TimeUnit.NANOSECONDS) != 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
