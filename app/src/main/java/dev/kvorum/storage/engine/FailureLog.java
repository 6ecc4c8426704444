package dev.kvorum.storage.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Counts failures and logs at most one per second, since a failing disk fails every request.
 * Reports failures that are signs of corruption, and remembers those of the disk.
 */
final class FailureLog {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private final Logger logger;
  private final CorruptionDetector alarm;
  private final AtomicBoolean hasIoError = new AtomicBoolean();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - PERIOD_NANOS);

  FailureLog(Logger logger, CorruptionDetector alarm) {
    this.logger = logger;
    this.alarm = alarm;
  }

  void note(String what, Throwable failure) {
    noteHarmless(what, failure);
    if (failure instanceof EngineException e && e.kind() == EngineException.Kind.IO_ERROR) {
      hasIoError.set(true);
    }
    alarm.consider(what, failure);
  }

  /** Returns whether an I/O error was noted since the last call. */
  boolean takeIoError() {
    return hasIoError.getAndSet(false);
  }

  /** Counts a failure that needs no action, whether from corruption or not. */
  void noteHarmless(String what, Throwable failure) {
    long total = count.incrementAndGet();
    long last = loggedNanos.get();
    long now = System.nanoTime();
    if (now - last >= PERIOD_NANOS && loggedNanos.compareAndSet(last, now)) {
      logger.warn("{} ({} such failures so far)", what, total, failure);
    }
  }

  long count() {
    return count.get();
  }
}
