package dev.kvorum.storage.engine;

import java.time.Duration;

/**
 * Gives back the space of records that were entombed or removed: once they are enough, it has
 * RocksDB merge them with what they hide, which by itself it would do only under more writes.
 *
 * <p>The work is done by RocksDB's own threads under its rate limit; a thread here waits for it.
 */
final class SpaceReclaimer {
  private final Engine engine;
  private final Removals removals;
  private final StoreSettings.Reclaim settings;
  private final FailureLog failures;
  private final StoreTimer timer;
  private volatile boolean isClosing;
  private long retiredBefore;

  SpaceReclaimer(
      Engine engine,
      Removals removals,
      StoreSettings.Reclaim settings,
      FailureLog failures,
      StoreThreads threads) {
    this.engine = engine;
    this.removals = removals;
    this.settings = settings;
    this.failures = failures;
    this.timer = threads.timer("kvorum-reclaim", failures);
  }

  void start() {
    timer.every(settings.interval(), this::reclaimIfDue);
  }

  private void reclaimIfDue() {
    long retired = removals.retired();
    try {
      long records = engine.recordsEstimated();
      long due = Math.max(settings.recordsMin(), (long) (settings.share() * records));
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

  /** Calls off what is under way; false when it does not end in time. */
  boolean close(Duration timeout) {
    isClosing = true;
    engine.cancelCompaction();
    return timer.close(timeout);
  }
}
