package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The corrupted stores of one process, read from a simulated disk. */
public final class SimSetAside implements SetAsideStores {
  /** What can and cannot be read of corrupted stores; outlives processes. */
  public static final class Remains {
    private final List<Salvageable> readable = new ArrayList<>();
    private final List<KeyRange> unreadable = new ArrayList<>();

    /**
     * Adds a store.
     *
     * @param corrupted keys whose newest record cannot be read; an older one may be found instead
     * @param isLogComplete whether all else is as it was written
     */
    void add(DiskImage store, Set<Key> corrupted, boolean isLogComplete) {
      store.records.forEach((key, record) -> {
        if (!corrupted.contains(key)) {
          add(key, record, isLogComplete);
        }
      });
      for (Map.Entry<Key, Versioned> older : store.overwritten.entrySet()) {
        if (corrupted.contains(older.getKey())) {
          add(older.getKey(), older.getValue(), false);
        }
      }
      corrupted.forEach(key -> unreadable.add(only(key)));
      if (!isLogComplete) {
        unreadable.add(KeyRange.ALL);
      }
    }

    private void add(Key key, Versioned record, boolean isNewest) {
      readable.add(new Salvageable(new Mutation(key, record), isNewest));
    }

    private static KeyRange only(Key key) {
      byte[] next = Arrays.copyOf(key.bytes(), key.bytes().length + 1);
      return new KeyRange(Optional.of(key), true, Optional.of(Key.ofBytes(next)));
    }

    public boolean isEmpty() {
      return readable.isEmpty() && unreadable.isEmpty();
    }

    void clear() {
      readable.clear();
      unreadable.clear();
    }
  }

  private final SimDisk disk;
  private final VirtualLoop device;
  private final RandomGenerator random;
  private boolean isSlow;
  private int next;

  public SimSetAside(SimDisk disk, VirtualLoop device, RandomGenerator random) {
    this.disk = disk;
    this.device = device;
    this.random = random;
  }

  @Override
  public boolean isPending() {
    return !disk.remains.isEmpty();
  }

  @Override
  public void begin() {
    next = 0;
    isSlow = disk.isSlowToSalvage || random.nextBoolean();
  }

  @Override
  public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
    device.schedule(
        () -> {
          List<Salvageable> all = disk.remains.readable;
          int end = Math.min(all.size(), next + limits.recordsMax());
          boolean isLast = end == all.size();
          List<Salvageable> records = List.copyOf(all.subList(Math.min(next, end), end));
          next = end;
          List<KeyRange> gaps = isLast ? List.copyOf(disk.remains.unreadable) : List.of();
          loop.execute(() -> waiter.answer(new Salvaged.Page(records, gaps, isLast)));
        },
        // Reading around what is corrupted takes its time, of one member more than of another.
        1 + disk.slowMillis + random.nextLong(isSlow ? 800 : 20),
        TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean hadSingleCopies() {
    return false;
  }

  @Override
  public void makeRoom(
      boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done) {
    loop.execute(done);
  }

  @Override
  public LostKeys lost() {
    return disk.lost;
  }

  private boolean fails() {
    return disk.full || (disk.failingShare > 0 && random.nextDouble() < disk.failingShare);
  }

  @Override
  public void keepLost(LostKeys lost, Executor loop, Consumer<Boolean> kept) {
    device.schedule(
        () -> {
          boolean isKept = !fails();
          disk.lost = isKept ? lost : disk.lost;
          loop.execute(() -> kept.accept(isKept));
        },
        1,
        TimeUnit.MILLISECONDS);
  }

  @Override
  public void release(Executor loop, Consumer<Boolean> released) {
    device.schedule(
        () -> {
          boolean isReleased = !fails();
          if (isReleased) {
            disk.remains.clear();
          }
          loop.execute(() -> released.accept(isReleased));
        },
        1,
        TimeUnit.MILLISECONDS);
  }
}
