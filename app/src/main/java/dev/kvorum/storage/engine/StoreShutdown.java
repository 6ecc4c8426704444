package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Closes the parts of a store in order, once, and then frees what is native. */
final class StoreShutdown {
  private final Duration timeout;
  private final List<Part> parts;
  private final Runnable free;
  private final ReentrantLock closing = new ReentrantLock();
  private @Nullable Boolean isFree;

  /** Something that threads may be inside. */
  @FunctionalInterface
  interface Part {
    /** Lets no thread in any more; false when one is still inside after this time. */
    boolean close(Duration timeout);
  }

  /**
   * A shutdown that has not begun.
   *
   * @param timeout for all parts together
   * @param free run only when no thread is inside any more: it would crash the process
   */
  StoreShutdown(Duration timeout, Runnable free, Part... parts) {
    this.timeout = timeout;
    this.parts = List.of(parts);
    this.free = free;
  }

  /** Whether all is closed and freed; the second call returns the result of the first. */
  boolean run() {
    closing.lock();
    try {
      isFree = isFree == null ? runOnce() : isFree;
      return isFree;
    } finally {
      closing.unlock();
    }
  }

  private boolean runOnce() {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    boolean quiet = true;
    // Each part is closed even if the one before it is not: what can be answered is.
    for (Part part : parts) {
      quiet &= part.close(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }
    if (quiet) {
      free.run();
    }
    return quiet;
  }
}
