package dev.kvorum.storage.replace;

import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreHealth;
import dev.kvorum.storage.engine.TaskThread;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a store opened again after an I/O error, once its disk works. Until then the store stays
 * open: it rejects writes, but can be read.
 */
final class IoErrorRecovery {
  private static final Logger log = LoggerFactory.getLogger(IoErrorRecovery.class);

  private static final Duration CHECK_PAUSE = Duration.ofSeconds(1);

  private final StoreDisk disk;
  private final LongSupplier nanoTime;
  private final ReopenBackoff backoff;
  private final AtomicLong count = new AtomicLong();

  IoErrorRecovery(StoreDisk disk, Duration reopenAfter, LongSupplier nanoTime) {
    this.disk = disk;
    this.nanoTime = nanoTime;
    this.backoff = new ReopenBackoff(reopenAfter, nanoTime.getAsLong());
  }

  /**
   * Checks the current store every second until the thread is shut down.
   *
   * @param thread blocks as the disk does
   * @param reopen called there with the store if it is to be opened again now
   */
  void begin(TaskThread thread, Supplier<RecordStore> current, Consumer<RecordStore> reopen) {
    thread.every(CHECK_PAUSE, () -> check(current.get(), reopen));
  }

  /** Counts a store that was opened again. */
  void reopened() {
    count.incrementAndGet();
  }

  long count() {
    return count.get();
  }

  private void check(RecordStore store, Consumer<RecordStore> reopen) {
    // A corrupted store is replaced, or has to stay as it is.
    boolean isStopped = store.health() == StoreHealth.STOPPED && !store.isCorrupted();
    if (!backoff.isDue(isStopped, nanoTime.getAsLong())) {
      return;
    }
    try {
      disk.check();
    } catch (IOException e) {
      log.warn("A store that an I/O error has stopped waits until its disk works", e);
      backoff.postpone(nanoTime.getAsLong());
      return;
    }
    reopen.accept(store);
    backoff.tried(nanoTime.getAsLong());
  }
}
