package dev.kvorum.repair.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A corrupted store that is read page by page; the second page cannot be read at first. */
public final class MemorySetAside implements SetAsideStores {
  final List<Salvageable> records;
  int released;
  private int start;
  private int next;
  private boolean hasFailed;
  boolean isPending = true;

  /** False for a store that is set aside while the process runs, until it is begun. */
  public boolean isKnown = true;

  LostKeys lost = LostKeys.NONE;
  int passes;

  // Next calls that fail.
  int failedKeeps;
  int failedReleases;

  // By pass, reported in its last page.
  Map<Integer, List<KeyRange>> unreadable = Map.of();

  public MemorySetAside(List<Salvageable> records) {
    this.records = records;
  }

  @Override
  public boolean isPending() {
    return isPending;
  }

  @Override
  public void begin() {
    isKnown = true;
    next = released;
    passes++;
  }

  int left() {
    return records.size() - released;
  }

  @Override
  public boolean hadSingleCopies() {
    return false;
  }

  @Override
  public void makeRoom(
      boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done) {
    assertThat(isPending).as("it is not released yet").isTrue();
    released = areAllStored ? records.size() : start / SalvageTest.TABLE * SalvageTest.TABLE;
    loop.execute(done);
  }

  @Override
  public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
    if (next > 0 && !hasFailed) {
      hasFailed = true;
      loop.execute(() -> waiter.reply(new Salvaged.Failed("an error of the disk")));
      return;
    }
    int end = Math.min(records.size(), next + limits.recordsMax());
    List<Salvageable> page = List.copyOf(records.subList(next, end));
    start = next;
    next = end;
    boolean isLast = end == records.size();
    List<KeyRange> gaps = isLast ? unreadable.getOrDefault(passes, List.of()) : List.of();
    loop.execute(() -> waiter.reply(new Salvaged.Page(page, gaps, isLast)));
  }

  @Override
  public LostKeys lost() {
    return lost;
  }

  @Override
  public void keepLost(LostKeys now, Executor loop, Consumer<Boolean> kept) {
    boolean fails = failedKeeps > 0;
    failedKeeps -= fails ? 1 : 0;
    lost = fails ? lost : now;
    loop.execute(() -> kept.accept(!fails));
  }

  @Override
  public void release(Executor loop, Consumer<Boolean> released) {
    boolean fails = failedReleases > 0;
    failedReleases -= fails ? 1 : 0;
    isPending = fails || !isKnown;
    loop.execute(() -> released.accept(!fails));
  }
}
