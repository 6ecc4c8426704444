package dev.kvorum.storage;

import java.time.Duration;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;

/**
 * Gives back the space of records that were entombed or removed: once they are enough, it has
 * RocksDB merge them with what they hide, which by itself it would do only under more writes.
 *
 * <p>The work is done by RocksDB's own threads under its rate limit; a thread here waits for it.
 */
final class Reclaimer {
  private final RocksDatabase database;
  private final Removals removals;
  private final RocksSettings.Reclaim settings;
  private final FailureLog failures;
  private final CompactRangeOptions options =
      new CompactRangeOptions().setExclusiveManualCompaction(false);
  private final StoreTimer timer;
  private long retiredBefore;

  Reclaimer(
      RocksDatabase database,
      Removals removals,
      RocksSettings.Reclaim settings,
      FailureLog failures) {
    this.database = database;
    this.removals = removals;
    this.settings = settings;
    this.failures = failures;
    this.timer = new StoreTimer("kvorum-reclaim", failures);
  }

  void start() {
    timer.every(settings.interval(), this::reclaimIfDue);
  }

  private void reclaimIfDue() {
    long retired = removals.retired();
    try {
      long records = database.db().getLongProperty(database.records(), "rocksdb.estimate-num-keys");
      long due = Math.max(settings.recordsMin(), (long) (settings.share() * records));
      if (retired - retiredBefore >= due) {
        database.db().compactRange(database.records(), null, null, options);
        retiredBefore = retired;
      }
    } catch (RocksDBException e) {
      if (!options.canceled()) {
        failures.note("cannot reclaim the space of removed records", e);
      }
    }
  }

  /** Calls off what is under way; false when it does not end in time. */
  boolean close(Duration timeout) {
    options.setCanceled(true);
    return timer.close(timeout);
  }

  /** Frees what is native; only after {@link #close} said true. */
  void free() {
    options.close();
  }
}
