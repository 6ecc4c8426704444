package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** What is readable in a corrupted store is stored again, whatever is refused meanwhile. */
class SalvageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int RECORDS = 3000;
  private static final int REFUSED_EVERY = 1000;

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId first = harness.members.getFirst();
  private final List<Salvageable> readable = new ArrayList<>();

  /** A store whose queue is full at every thousandth write. */
  private static final class BusyStore extends MemoryStore {
    private int applied;
    private int refused;

    @Override
    public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
      applied++;
      if (applied % REFUSED_EVERY == 0) {
        refused++;
        waiter.answer(new WriteResult.Refused(RejectReason.OVERLOADED));
      } else {
        super.applyStreamed(mutation, loop, waiter);
      }
    }
  }

  /** A corrupted store that is read page by page; the second page cannot be read at first. */
  private static final class Corrupted implements SetAsideStores {
    private final List<Salvageable> records;
    private int next;
    private boolean hasFailed;
    private boolean isPending = true;

    Corrupted(List<Salvageable> records) {
      this.records = records;
    }

    @Override
    public boolean isPending() {
      return isPending;
    }

    @Override
    public void begin() {
      next = 0;
    }

    @Override
    public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
      if (next > 0 && !hasFailed) {
        hasFailed = true;
        loop.execute(() -> waiter.answer(new Salvaged.Failed("an error of the disk")));
        return;
      }
      int end = Math.min(records.size(), next + limits.recordsMax());
      List<Salvageable> page = List.copyOf(records.subList(next, end));
      next = end;
      loop.execute(() -> waiter.answer(new Salvaged.Page(page, List.of(), end == records.size())));
    }

    @Override
    public LostKeys lost() {
      return LostKeys.NONE;
    }

    @Override
    public void keepLost(LostKeys lost, Executor loop, Runnable done) {
      loop.execute(done);
    }

    @Override
    public void release(Executor loop, Runnable done) {
      isPending = false;
      loop.execute(done);
    }
  }

  private void restartWith(MemoryStore store, SetAsideStores setAside) {
    harness.kill(first);
    harness.founded = true;
    harness.stores.put(first, store);
    store.keepMark(MarkStore.SET_ASIDE, 1, Runnable::run, kept -> {});
    store.keepMark(MarkStore.CLOCK_RESERVED, harness.wallMillis(), Runnable::run, kept -> {});
    harness.setAside.put(first, setAside);
    harness.start(first);
  }

  @Test
  void onlyRefusedRecordsAreStoredAgain() {
    harness.settings = RepairHarness.bulk();
    harness.start();
    for (int i = 0; i < RECORDS; i++) {
      Versioned record = harness.live(MINUTE, 3);
      readable.add(new Salvageable(new Mutation(Key.of("key " + i), record), true));
    }
    BusyStore store = new BusyStore();
    restartWith(store, new Corrupted(readable));
    harness.pass(MINUTE);
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(store.keys()).as("seed %d", harness.seed).hasSize(RECORDS);
    assertThat(store.refused).isPositive();
    assertThat(store.applied).isEqualTo(RECORDS + store.refused);
  }
}
