package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The store of one process on a simulated disk: one writer whose batches take an fsync, readers
 * that take their time, and the faults that the disk has.
 */
final class SimStore implements Store, MarkStore {
  private static final int QUEUE_MAX = 64;
  private static final int BATCH_MAX = 16;
  private static final long SYNC_INTERVAL_MILLIS = 100;

  /** A write that waits for its batch. */
  interface Op {
    void stage(SimBatch batch);
  }

  private final SimDisk disk;
  private final boolean sync;
  private final NodeLoop device;
  private final RandomGenerator random;
  private final ChecksumVerifier verifier;
  private final ArrayDeque<Op> queue = new ArrayDeque<>();
  private final Map<String, Long> marks = new HashMap<>();
  private @Nullable SimBatch underWay;

  SimStore(
      SimDisk disk,
      Durability durability,
      NodeLoop device,
      RandomGenerator random,
      ChecksumVerifier verifier) {
    this.disk = disk;
    this.verifier = verifier;
    this.sync = durability == Durability.SYNC;
    this.device = device;
    this.random = random;
    marks.putAll(disk.written().marks);
    if (!sync) {
      device.scheduleWithFixedDelay(
          disk::sync, SYNC_INTERVAL_MILLIS, SYNC_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Queues a write; false when there are too many. */
  boolean offer(Op op) {
    if (queue.size() >= QUEUE_MAX) {
      return false;
    }
    queue.add(op);
    if (underWay == null) {
      begin();
    }
    return true;
  }

  private void begin() {
    SimBatch batch = new SimBatch(disk, sync, verifier);
    underWay = batch;
    for (int i = 0; i < BATCH_MAX && !queue.isEmpty(); i++) {
      queue.remove().stage(batch);
    }
    long micros = batch.needsSync ? 300 + random.nextLong(4000) : 20 + random.nextLong(100);
    device.schedule(() -> finish(batch), micros + 1000 * disk.slowMillis, TimeUnit.MICROSECONDS);
  }

  private void finish(SimBatch batch) {
    if (batch != underWay) {
      return;
    }
    boolean failed = disk.failingShare > 0 && random.nextDouble() < disk.failingShare;
    if (!batch.effects.isEmpty() && !failed) {
      disk.write(batch.effects, batch.needsSync);
    } else if (failed && random.nextBoolean()) {
      // Records that could not be written may be there all the same.
      disk.write(
          batch.effects.stream().filter(Effect.Put.class::isInstance).toList(), batch.needsSync);
    }
    underWay = null;
    batch.answer(!failed || batch.effects.isEmpty());
    if (!queue.isEmpty() && underWay == null) {
      begin();
    }
  }

  /** The disk has been emptied: what was being written has failed. */
  void startOver() {
    SimBatch batch = underWay;
    underWay = null;
    if (batch != null) {
      batch.answer(false);
    }
    marks.clear();
    marks.putAll(disk.written().marks);
    if (!queue.isEmpty() && underWay == null) {
      begin();
    }
  }

  /** Holds from now on what no process of this run has written. */
  void plant(List<Effect> effects) {
    disk.plant(effects);
    marks.putAll(disk.written().marks);
  }

  /** The process dies: what was being written may be there or not. */
  void die() {
    SimBatch batch = underWay;
    if (batch != null && !batch.effects.isEmpty() && random.nextBoolean()) {
      disk.write(batch.effects, batch.needsSync);
    }
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    if (disk.slowMillis == 0 && random.nextInt(3) > 0) {
      waiter.answer(lookup(key, detail));
      return;
    }
    readLater(() -> {
      Lookup found = waiter.isWaiting() ? lookup(key, detail) : new Lookup.Unknown(Refusal.EXPIRED);
      loop.execute(() -> waiter.answer(found));
    });
  }

  private void readLater(Runnable read) {
    device.schedule(
        read, 50 + random.nextLong(3000) + 500 * disk.slowMillis, TimeUnit.MICROSECONDS);
  }

  private Lookup lookup(Key key, Detail detail) {
    if (disk.damaged.contains(key)) {
      return new Lookup.Unknown(Refusal.STORAGE_FAILED);
    }
    Versioned record = disk.written().records.get(key);
    if (record == null) {
      return Lookup.Absent.ABSENT;
    }
    if (detail == Detail.RECORD && !verifier.matches(Place.STORE, key, record)) {
      return new Lookup.Unknown(verifier.refusal(key));
    }
    return switch (detail) {
      case RECORD -> new Lookup.Found(record);
      case VERSION -> new Lookup.FoundVersion(record.version());
    };
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    apply(mutation, false, loop, waiter);
  }

  @Override
  public void adopt(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    apply(mutation, true, loop, waiter);
  }

  private void apply(Mutation mutation, boolean trusted, Executor loop, Waiter<Applied> waiter) {
    if (disk.full && !mutation.record().tombstone()) {
      waiter.answer(new Applied.Refused(Refusal.DISK_FULL));
      return;
    }
    Op op =
        batch ->
            batch.owe(
                loop,
                waiter,
                waiter.isWaiting()
                    ? batch.apply(mutation, trusted)
                    : new Applied.Refused(Refusal.EXPIRED));
    offer(op, waiter);
  }

  private void offer(Op op, Waiter<Applied> waiter) {
    if (!offer(op)) {
      waiter.answer(new Applied.Refused(Refusal.OVERLOADED));
    }
  }

  @Override
  public void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<Scanned> waiter) {
    readLater(() -> {
      Scanned page =
          waiter.isWaiting() ? page(range, detail, limits) : new Scanned.Unknown(Refusal.EXPIRED);
      loop.execute(() -> waiter.answer(page));
    });
  }

  private Scanned page(KeyRange range, Detail detail, ScanLimits limits) {
    List<Mutation> page = new ArrayList<>();
    List<Key> mismatched = new ArrayList<>();
    Optional<Key> last = Optional.empty();
    long bytes = 0;
    for (Map.Entry<Key, Versioned> at : disk.written().records.entrySet()) {
      if (!range.contains(at.getKey())) {
        continue;
      }
      if (disk.damaged.contains(at.getKey())) {
        return new Scanned.Unknown(Refusal.STORAGE_FAILED);
      }
      long more = at.getKey().bytes().length + 26L + at.getValue().value().length;
      int count = page.size() + mismatched.size();
      if (count > 0 && (count >= limits.recordsMax() || bytes + more > limits.bytesMax())) {
        return new Scanned.Page(page, last, mismatched);
      }
      bytes += more;
      Key key = at.getKey();
      Versioned record = at.getValue();
      last = Optional.of(key);
      if (detail == Detail.VERSION) {
        page.add(new Mutation(key, record.withoutValue(key)));
      } else if (verifier.matches(Place.STORE, key, record)) {
        page.add(new Mutation(key, record));
      } else {
        mismatched.add(key);
      }
    }
    return new Scanned.Page(page, Optional.empty(), mismatched);
  }

  @Override
  public void entomb(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    offer(batch -> batch.owe(loop, waiter, batch.retire(key, version, false)), waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    if (disk.full) {
      waiter.answer(new Applied.Refused(Refusal.DISK_FULL));
    } else {
      offer(batch -> batch.owe(loop, waiter, batch.restore(mutation)), waiter);
    }
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    offer(batch -> batch.owe(loop, waiter, batch.retire(key, version, true)), waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    offer(batch -> batch.owe(loop, waiter, batch.drop(key, version)), waiter);
  }

  @Override
  public long removedUpTo() {
    return disk.written().removedUpTo;
  }

  @Override
  public long mark(String name) {
    return marks.getOrDefault(name, 0L);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<Applied> waiter) {
    if (!disk.keepsMarks) {
      waiter.answer(new Applied.Refused(Refusal.STORAGE_FAILED));
      return;
    }
    marks.put(name, number);
    offer(batch -> batch.owe(loop, waiter, batch.mark(name, number)), waiter);
  }

  @Override
  public boolean isNearlyFull() {
    return disk.full;
  }

  @Override
  public void close() {}
}
