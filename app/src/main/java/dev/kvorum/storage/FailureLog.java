package dev.kvorum.storage;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** A count of failures that logs at most one each second: a broken disk fails every request. */
final class FailureLog {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private final Logger logger;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - PERIOD_NANOS);

  FailureLog(Logger logger) {
    this.logger = logger;
  }

  void note(String what, Throwable failure) {
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
