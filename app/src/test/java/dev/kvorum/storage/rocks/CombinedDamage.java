package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.rocksdb.TickerType;

/**
 * Corruption of a file together with something else: with records that do not match their
 * checksums, or while RocksDB merges tables and collects blob files.
 */
final class CombinedDamage {
  private static final int ONE_IN = 2;
  private static final int MERGED_BYTES_MAX = 30_000;

  private final CrashChecks checks;
  // Of its own: the images of a seed are the same with and without these.
  private final RandomGenerator random;
  private final DiskCorruption damage;

  CombinedDamage(CrashChecks checks, long seed) {
    this.checks = checks;
    this.random = new SplittableRandom(seed);
    this.damage = new DiskCorruption(random);
  }

  /** Sometimes checks one of either on a store whose files are all synced. */
  void check(DiskImage sound, DiskImage before, CrashModel.State wanted) {
    switch (random.nextInt(2 * ONE_IN)) {
      case 0 -> withMismatches(sound, before, wanted);
      case 1 -> whileMerging(sound, before, wanted);
      default -> {}
    }
  }

  private void withMismatches(DiskImage sound, DiskImage before, CrashModel.State wanted) {
    MismatchedImage changed = MismatchedImage.of(sound, checks.settings(checks.place()), random);
    damage.of(changed.image(), before).writeTo(checks.place());
    checks.alsoDamaged(
        wanted,
        changed.keys(),
        () -> damage.description() + " with mismatches of " + changed.keys());
  }

  private void whileMerging(DiskImage sound, DiskImage before, CrashModel.State wanted) {
    Path directory = checks.place();
    sound.writeTo(directory);
    DiskImage damaged = damage.of(sound, before);
    int bytes = random.nextInt(MERGED_BYTES_MAX);
    try (RecordStore store = StoreFixture.open(checks.settings(directory))) {
      CompletableFuture<Void> merge =
          CompletableFuture.runAsync(() -> {
            try {
              merge(store);
            } catch (EngineException e) {
              // It has met the corruption.
            }
          });
      // Anywhere in what it reads.
      StoreFixture.awaitUntil(() -> merge.isDone() || merged(store) >= bytes);
      damaged.writeChanges(sound, directory);
      StoreFixture.await(merge);
      checks.compare(store, wanted, Set.of(), this::merging);
    }
    checks.alsoDamaged(wanted, Set.of(), this::merging);
  }

  /** Merges all tables and moves what is in the older half of the blob files. */
  static void merge(RecordStore store) throws EngineException {
    store.engine().collectBlobs(0.5, false);
    store.engine().compactRecords(true);
  }

  private String merging() {
    return damage.description() + " during a merge";
  }

  private static long merged(RecordStore store) {
    return StoreFixture.database(store).statistics().getTickerCount(TickerType.COMPACT_READ_BYTES);
  }
}
