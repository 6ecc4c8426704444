package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreHealth;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a store opened again after an I/O error, once its disk works. Until then the store stays
 * open: it rejects writes, but can be read.
 */
final class IoErrorRecovery {
  private static final Logger log = LoggerFactory.getLogger(IoErrorRecovery.class);

  private final StoreDirectories places;
  private final ReopenBackoff backoff;
  private final AtomicLong count = new AtomicLong();

  IoErrorRecovery(StoreDirectories places, ReopenBackoff backoff) {
    this.places = places;
    this.backoff = backoff;
  }

  /**
   * Checks the current store every second until the executor is shut down.
   *
   * @param thread a single thread, which blocks as the disk does
   * @param reopen called there with the store if it is to be opened again now
   */
  void begin(
      ScheduledExecutorService thread,
      Supplier<RecordStore> current,
      Consumer<RecordStore> reopen) {
    ScheduledFuture<?> untilClosed =
        thread.scheduleWithFixedDelay(() -> checkSafely(current, reopen), 1, 1, TimeUnit.SECONDS);
    assert !untilClosed.isCancelled();
  }

  /** Counts a store that was opened again. */
  void reopened() {
    count.incrementAndGet();
  }

  long count() {
    return count.get();
  }

  /** A periodic task that throws is not run again. */
  private void checkSafely(Supplier<RecordStore> current, Consumer<RecordStore> reopen) {
    try {
      check(current.get(), reopen);
    } catch (RuntimeException | Error e) {
      log.error("A check for I/O errors of the store failed", e);
    }
  }

  private void check(RecordStore store, Consumer<RecordStore> reopen) {
    // A corrupted store is replaced, or has to stay as it is.
    boolean isStopped = store.health() == StoreHealth.STOPPED && !store.isCorrupted();
    if (!backoff.isDue(isStopped, System.nanoTime())) {
      return;
    }
    try {
      places.checkDisk();
    } catch (IOException e) {
      log.warn("A store that an I/O error has stopped waits until its disk works", e);
      backoff.postpone(System.nanoTime());
      return;
    }
    reopen.accept(store);
    backoff.tried(System.nanoTime());
  }
}
