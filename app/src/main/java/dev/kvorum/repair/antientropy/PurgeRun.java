package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairMarks.Mark;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run of {@link TombstonePurger} over some records, in steps: {@link #begin} sorts out what is
 * due. If a removal leaves a peer behind, the other peers are asked whether they are complete
 * ({@link #onPeersChecked}) and the peer is marked ({@link #onMarked}). Then {@link #apply} expires
 * and removes. Confined to one event loop.
 */
final class PurgeRun {
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final TombstonePurger purger;
  private final RepairMarks marks;
  private final CompletePeersCheck completePeers;
  private final Runnable done;
  private final List<BoundedParallel.Step> expirations = new ArrayList<>();
  private final List<BoundedParallel.Step> removals = new ArrayList<>();

  PurgeRun(
      BackgroundContext context,
      RepairSettings settings,
      TombstonePurger purger,
      RepairMarks marks,
      CompletePeersCheck completePeers,
      Runnable done) {
    this.context = context;
    this.settings = settings;
    this.purger = purger;
    this.marks = marks;
    this.completePeers = completePeers;
    this.done = done;
  }

  /**
   * Starts the run.
   *
   * @param purgeable stamp up to which tombstones are removed
   * @param expiredBy time up to which records have expired
   */
  void begin(List<Mutation> records, long purgeable, long expiredBy) {
    for (Mutation mutation : records) {
      Key key = mutation.key();
      Versioned record = mutation.record();
      if (!context.layouts().get().keeps(context.self(), key, record.from())) {
        // Cleanup removes records of slots that moved to other members.
        continue;
      }
      if (record.tombstone() && record.version().stamp() <= purgeable) {
        removals.add((index, end) -> remove(key, record.version(), end));
      } else if (!record.tombstone() && !record.isLiveAt(expiredBy)) {
        expirations.add((index, end) -> expire(key, record.version(), end));
      }
    }
    List<Mark> left = removals.isEmpty() ? List.of() : purger.leavingBehind();
    if (left.isEmpty()) {
      apply(true);
    } else {
      completePeers.ask(purger.counting(), complete -> onPeersChecked(complete, left, purgeable));
    }
  }

  private void onPeersChecked(boolean complete, List<Mark> left, long purgeable) {
    // A peer that has returned since counts again.
    if (complete && purger.purgeableUpTo() >= purgeable) {
      // Durable first: the peers that were left behind have to learn of it when they return.
      marks.keepAll(left, this::onMarked);
    } else {
      apply(false);
    }
  }

  private void onMarked(boolean stored) {
    if (stored) {
      apply(true);
    } else {
      done.run();
    }
  }

  private void apply(boolean withRemovals) {
    List<BoundedParallel.Step> work = new ArrayList<>(expirations);
    if (withRemovals) {
      work.addAll(removals);
    }
    BoundedParallel.Step each = (index, end) -> work.get(index).begin(index, end);
    new BoundedParallel(settings.window(), work.size(), each, allDone -> done.run()).start();
  }

  private void remove(Key key, Version version, Consumer<Boolean> end) {
    Waiter<WriteResult> waiter = waiter(context.meters()::tombstoneRemoved, end);
    context.store().remove(key, version, context.loop(), waiter);
  }

  private void expire(Key key, Version version, Consumer<Boolean> end) {
    Waiter<WriteResult> waiter = waiter(context.meters()::recordExpired, end);
    context.store().expire(key, version, context.loop(), waiter);
  }

  private static Waiter<WriteResult> waiter(Runnable count, Consumer<Boolean> end) {
    return applied -> {
      boolean stored = applied instanceof WriteResult.Stored;
      if (stored) {
        count.run();
      }
      end.accept(stored);
    };
  }
}
