package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreProbes;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.CrashModel.Op;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/**
 * A store under writes whose disk is checked after every batch: from the bytes that are synced and
 * those that are only written, images are made and opened.
 *
 * <p>What is synced is what RocksDB counts as such, not what the store reports. The writer thread
 * stops after each batch until its images have been checked, so a seed replays its run.
 */
final class CrashRun {
  private static final int KEYS = 40;
  private static final int MARKS = 3;
  private static final int BLOB_MIN = 200;
  private static final int MARK_STATES_MAX = 16;
  private static final List<String> WORK =
      List.of("rocksdb.mem-table-flush-pending", "rocksdb.compaction-pending");
  private static final List<String> WORKING =
      List.of("rocksdb.num-running-flushes", "rocksdb.num-running-compactions");

  private final Durability claimed;
  private final StoreSettings settings;
  private final RandomGenerator random;
  private final CrashChecks checks;
  private final CrashModel model = new CrashModel();
  private final PowerLoss powerLoss;
  private final DiskCorruption damage;
  private final CombinedDamage combined;
  private final Semaphore mayCheck = new Semaphore(0);
  private final Semaphore checked = new Semaphore(0);
  private final List<byte[]> marks = new ArrayList<>();
  private final List<Op> batch = new ArrayList<>();
  private DiskImage synced = new DiskImage();
  private long syncs;
  private long stamp;
  private volatile boolean closing;
  private volatile @Nullable RuntimeException failure;
  private final RecordStore store;

  /**
   * A run.
   *
   * @param claimed the durability that is expected
   * @param kept the durability that the store really has; the same but to test this test
   */
  CrashRun(long seed, Durability claimed, Durability kept, Path directory) {
    this.claimed = claimed;
    this.random = new SplittableRandom(seed);
    String[] blobs = seed % 2 == 0 ? new String[] {} : new String[] {"blob-min=" + BLOB_MIN};
    // Only writes sync anything: no timer beside them.
    this.settings =
        StoreFixture.with(
            StoreFixture.settings(directory.resolve("store"), 1000, kept, Duration.ofMinutes(1)),
            blobs);
    this.checks = new CrashChecks(directory, random, blobs);
    this.powerLoss = new PowerLoss(random);
    this.damage = new DiskCorruption(random);
    this.combined = new CombinedDamage(checks, ~seed);
    this.store =
        RocksStore.open(
            settings,
            new StoreProbes(
                (writes, nanos) -> this.afterBatch(), () -> 1 << 30, new ChecksumVerifier()),
            what -> {});
  }

  /** Writes until so many images have been checked; what was found wrong. */
  CrashChecks play(int images) {
    try {
      check();
      while (checks.images() < images && checks.violations().isEmpty()) {
        step();
      }
    } finally {
      closing = true;
      mayCheck.release();
      store.close();
    }
    return checks;
  }

  /** One write alone, then several that share a batch. */
  private void step() {
    List<Op> first = List.of(op());
    List<Op> rest = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      rest.add(op());
    }
    batch.addAll(first);
    first.stream().map(this::submit).toList().forEach(StoreFixture::await);
    List<CompletableFuture<WriteResult>> answers = rest.stream().map(this::submit).toList();
    letCheck();
    if (!rest.isEmpty()) {
      answers.forEach(StoreFixture::await);
      batch.addAll(rest);
      letCheck();
    }
    if (random.nextInt(20) == 0) {
      store.flush();
      check();
      if (random.nextInt(3) == 0) {
        merge();
        check();
      }
    }
  }

  private void merge() {
    try {
      CombinedDamage.merge(store);
    } catch (EngineException e) {
      throw new IllegalStateException(e);
    }
  }

  private void letCheck() {
    mayCheck.release();
    checked.acquireUninterruptibly();
    RuntimeException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  private void afterBatch() {
    if (closing) {
      return;
    }
    mayCheck.acquireUninterruptibly();
    try {
      if (!closing) {
        check();
      }
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      checked.release();
    }
  }

  private Op op() {
    String key = "k%02d".formatted(random.nextInt(KEYS));
    stamp++;
    return switch (random.nextInt(12)) {
      case 0 -> new Op.Mark("mark-" + random.nextInt(MARKS), stamp);
      case 1, 2 -> new Op.Put(key, StoreFixture.tombstone(stamp));
      case 3 -> {
        Versioned there = model.now().records().get(key);
        Version version = there == null ? new Version(stamp, 1) : there.version();
        yield new Op.Remove(key, version);
      }
      default -> new Op.Put(key, StoreFixture.live(stamp, value()));
    };
  }

  private String value() {
    int length =
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(40_000);
          case 1, 2 -> random.nextInt(5_000);
          default -> random.nextInt(300);
        };
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(random.nextLong());
    }
    return text.substring(0, length);
  }

  private CompletableFuture<WriteResult> submit(Op op) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    switch (op) {
      case Op.Put put ->
          store.apply(
              new Mutation(Key.of(put.key()), put.record()), StoreFixture.INLINE, answer::complete);
      case Op.Remove remove ->
          store.remove(
              Key.of(remove.key()), remove.version(), StoreFixture.INLINE, answer::complete);
      case Op.Mark mark ->
          store.marks().keepMark(mark.name(), mark.number(), StoreFixture.INLINE, answer::complete);
    }
    return answer;
  }

  /** Takes in what was written, makes images of it and checks them. */
  private void check() {
    if (!batch.isEmpty()) {
      model.written(batch);
    }
    DiskImage now = whenQuiet();
    boolean isFirst = marks.isEmpty();
    for (int i = isFirst ? 0 : random.nextInt(4); i > 0; i--) {
      DiskImage image = powerLoss.image(synced, now, marks);
      checks.powerLost(image, PowerLoss.names(synced, now), model, powerLoss::choices);
    }
    if (batch.stream().anyMatch(op -> op.isDurableAtOnce(claimed))) {
      model.acknowledged();
    }
    batch.clear();
    keepMarks(now.file(SyncedSequence.FILE).orElseThrow());
    long syncsNow =
        StoreFixture.database(store).statistics().getTickerCount(TickerType.WAL_FILE_SYNCED);
    if (isFirst || syncsNow > syncs) {
      syncs = syncsNow;
      if (!isFirst && random.nextInt(4) == 0) {
        checks.damaged(damage.of(now, synced), model.now(), damage::description);
        combined.check(now, synced, model.now());
      }
      synced = now;
    }
  }

  private void keepMarks(byte[] state) {
    if (marks.size() == MARK_STATES_MAX) {
      marks.remove(random.nextInt(MARK_STATES_MAX));
    }
    marks.add(state);
  }

  /** The files once RocksDB does nothing beside the writes. */
  private DiskImage whenQuiet() {
    DiskImage last = DiskImage.of(settings.directory());
    while (true) {
      StoreFixture.awaitUntil(this::isQuiet);
      DiskImage now = DiskImage.of(settings.directory());
      if (isQuiet() && now.isSame(last)) {
        return now;
      }
      last = now;
    }
  }

  private boolean isQuiet() {
    RocksDatabase database = StoreFixture.database(store);
    RocksDB db = database.db();
    try {
      for (String name : WORKING) {
        if (db.getLongProperty(name) > 0) {
          return false;
        }
      }
      for (String name : WORK) {
        if (db.getLongProperty(database.records(), name) > 0
            || db.getLongProperty(database.meta(), name) > 0) {
          return false;
        }
      }
      return true;
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add("k%02d".formatted(i));
    }
    return keys;
  }

  static List<String> markNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < MARKS; i++) {
      names.add("mark-" + i);
    }
    return names;
  }

  static boolean contains(List<KeyRange> ranges, String key) {
    return ranges.stream().anyMatch(range -> range.contains(Key.of(key)));
  }
}
