package dev.kvorum.storage.engine;

import java.time.Duration;

/**
 * Reclaims the space of expired and removed records: once there are enough of them, it compacts the
 * records, which RocksDB by itself does only under more writes.
 *
 * <p>RocksDB's threads compact under its rate limit; one thread here waits for them.
 */
final class SpaceReclaimer {
  /** Fewer removed records free too little space to be worth a compaction. */
  private static final long RECORDS_MIN = 1000;

  private final Engine engine;
  private final Removals removals;
  private final StorageSettings settings;
  private final FailureLog failures;
  private final StoreTimer timer;
  private volatile boolean isClosing;
  private long retiredBefore;

  SpaceReclaimer(
      Engine engine,
      Removals removals,
      StorageSettings settings,
      FailureLog failures,
      StoreThreads threads) {
    this.engine = engine;
    this.removals = removals;
    this.settings = settings;
    this.failures = failures;
    this.timer = threads.timer("kvorum-reclaim", failures);
  }

  void start() {
    timer.every(settings.reclaimInterval(), this::reclaimIfDue);
  }

  private void reclaimIfDue() {
    long retired = removals.retired();
    try {
      long records = engine.recordsEstimated();
      long due = Math.max(RECORDS_MIN, (long) (settings.reclaimShare() * records));
      if (retired - retiredBefore >= due) {
        engine.compactRecords();
        retiredBefore = retired;
      }
    } catch (EngineException e) {
      if (!isClosing) {
        failures.note("cannot reclaim the space of removed records", e);
      }
    }
  }

  /** Cancels a running compaction; false when it does not end in time. */
  boolean close(Duration timeout) {
    isClosing = true;
    engine.cancelCompaction();
    return timer.close(timeout);
  }
}
