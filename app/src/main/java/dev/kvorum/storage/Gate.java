package dev.kvorum.storage;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * A door that many threads pass at a time until it is closed for good.
 *
 * <p>Passing costs two compare-and-swaps and never waits. Who is inside when it closes is waited
 * for; so whatever lies behind may be freed once {@link #close} said true.
 */
final class Gate {
  private final StampedLock lock = new StampedLock();
  private volatile boolean closed;

  /** A ticket to hand back to {@link #leave}, or 0 when the gate is closed. */
  long enter() {
    return closed ? 0 : lock.tryReadLock();
  }

  void leave(long ticket) {
    lock.unlockRead(ticket);
  }

  /** Lets nobody in any more and waits for those inside; false when they took too long. */
  boolean close(Duration timeout) {
    closed = true;
    try {
      // Never given back: the lock itself keeps out those who had passed the check above.
      return lock.tryWriteLock(timeout.toNanos(), TimeUnit.NANOSECONDS) != 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
