package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Closes the parts of a store in order, once, and then frees native memory. */
final class StoreShutdown {
  private final List<Part> parts;
  private final Runnable free;
  private final ReentrantLock closing = new ReentrantLock();
  private @Nullable Boolean isFree;

  /** A part that threads may be using. */
  @FunctionalInterface
  interface Part {
    /** Admits no further thread; returns false if one is still inside after this time. */
    boolean close(Duration timeout);
  }

  /**
   * Creates a shutdown; {@link #run} executes it.
   *
   * @param free run only if no thread is inside any more: it would crash the process
   */
  StoreShutdown(Runnable free, Part... parts) {
    this.parts = List.of(parts);
    this.free = free;
  }

  /**
   * Returns whether all parts are closed and native memory is freed; a second call returns the
   * result of the first.
   *
   * @param timeout timeout for all parts together, or for a first call that still waits for them
   */
  boolean run(Duration timeout) {
    try {
      if (!closing.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    try {
      isFree = isFree == null ? runOnce(timeout) : isFree;
      return isFree;
    } finally {
      closing.unlock();
    }
  }

  private boolean runOnce(Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    boolean quiet = true;
    // Close each part even if the one before it is still in use, so that as many requests as
    // possible get a reply.
    for (Part part : parts) {
      quiet &= part.close(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }
    if (quiet) {
      free.run();
    }
    return quiet;
  }
}
