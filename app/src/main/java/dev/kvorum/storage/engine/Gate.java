package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Guards a resource that many threads use until it is closed permanently.
 *
 * <p>Entering and leaving costs two compare-and-swaps and never waits. Closing waits for the
 * threads inside, so the guarded resource may be freed once {@link #close} has returned true.
 */
public final class Gate {
  private final StampedLock lock = new StampedLock();
  private volatile boolean closed;

  /** Work with an engine. */
  interface Work {
    void run() throws EngineException;
  }

  /** Returns a ticket for {@link #leave}, or 0 if the gate is closed. */
  long enter() {
    return closed ? 0 : lock.tryReadLock();
  }

  void leave(long ticket) {
    lock.unlockRead(ticket);
  }

  /** Runs work inside; fails if the gate is closed. */
  void run(Work work) throws EngineException {
    long ticket = enter();
    if (ticket == 0) {
      throw EngineException.ofClosedStore();
    }
    try {
      work.run();
    } finally {
      leave(ticket);
    }
  }

  /** Admits no further thread and waits for those inside; returns false if they take too long. */
  boolean close(Duration timeout) {
    closed = true;
    try {
      // Never released: the lock keeps out threads that had passed the check above.
      return lock.tryWriteLock(timeout.toNanos(), TimeUnit.NANOSECONDS) != 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
