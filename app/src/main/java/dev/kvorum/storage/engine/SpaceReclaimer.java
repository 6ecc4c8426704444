package dev.kvorum.storage.engine;

import java.io.IOException;
import java.time.Duration;

/**
 * Reclaims the space of expired, removed and overwritten records. Once there are enough of the
 * former two, it has RocksDB merge them with the records that they hide. RocksDB itself would do so
 * only under more writes.
 *
 * <p>RocksDB's own threads do the work under its rate limit; a thread here waits for it.
 */
final class SpaceReclaimer {
  /** Fewer removed records free too little space to be worth a compaction. */
  private static final long RECORDS_MIN = 1000;

  private final Engine engine;
  private final Purges purges;
  private final BlobCollector blobs;
  private final StorageSettings settings;
  private final FailureLog failures;
  private final StoreTimer timer;
  private volatile boolean isClosing;
  private long retiredBefore;

  SpaceReclaimer(
      Engine engine,
      Purges purges,
      StorageSettings settings,
      FailureLog failures,
      StoreThreads threads) {
    this.engine = engine;
    this.purges = purges;
    this.blobs = new BlobCollector(engine, settings);
    this.settings = settings;
    this.failures = failures;
    this.timer = threads.timer("kvorum-reclaim", failures);
  }

  void start() {
    timer.every(settings.reclaimInterval(), this::reclaim);
  }

  private void reclaim() {
    try {
      // Of the last run: reads that used them have ended since.
      engine.deleteReplacedFiles();
      compactIfDue();
      blobs.collect();
    } catch (EngineException | IOException e) {
      if (!isClosing) {
        failures.note("cannot reclaim the space of removed records", e);
      }
    }
  }

  private void compactIfDue() throws EngineException {
    long retired = purges.retired();
    long records = engine.recordsEstimated();
    long due = Math.max(RECORDS_MIN, (long) (settings.reclaimShare() * records));
    if (retired - retiredBefore >= due) {
      engine.compactRecords(false);
      retiredBefore = retired;
    }
  }

  /** Cancels a compaction in progress; returns false if it does not end in time. */
  boolean close(Duration timeout) {
    isClosing = true;
    engine.cancelCompaction();
    return timer.close(timeout);
  }
}
