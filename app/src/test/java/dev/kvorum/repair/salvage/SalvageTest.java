package dev.kvorum.repair.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** What is readable in a corrupted store is stored again, whatever is rejected meanwhile. */
class SalvageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int RECORDS = 3000;
  private static final int REJECTED_EVERY = 1000;

  /** Records in one table of the corrupted store. */
  static final int TABLE = 500;

  private static final KeyRange LOST = KeyRange.only(Key.of("lost"));
  private static final Key LAST = Key.of("last");

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId first = harness.members.getFirst();
  private final List<Salvageable> readable = new ArrayList<>();
  private LostKeys lostBefore = LostKeys.NONE;

  /** A store whose queue is full at every thousandth write. */
  private static final class BusyStore extends MemoryStore {
    private int applied;
    private int rejected;

    @Override
    public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
      applied++;
      if (applied % REJECTED_EVERY == 0) {
        rejected++;
        waiter.reply(new WriteResult.Rejected(RejectReason.OVERLOADED));
      } else {
        super.applyStreamed(mutation, loop, waiter);
      }
    }
  }

  private void restartWith(MemoryStore store, SetAsideStores setAside) {
    harness.kill(first);
    harness.founded = true;
    harness.stores.put(first, store);
    store.keepMark(MarkStore.SET_ASIDE, 1, Runnable::run, kept -> {});
    store.keepMark(MarkStore.CLOCK_HIGH_WATER, harness.wallMillis(), Runnable::run, kept -> {});
    harness.setAside.put(first, setAside);
    harness.start(first);
  }

  private void fill() {
    for (int i = 0; i < RECORDS; i++) {
      Versioned record = harness.live(MINUTE, 3);
      readable.add(new Salvageable(new Mutation(Key.of("key " + i), record), true));
    }
  }

  @Test
  void onlyRejectedRecordsAreStoredAgain() {
    harness.settings = RepairHarness.bulk();
    harness.start();
    fill();
    BusyStore store = new BusyStore();
    restartWith(store, new MemorySetAside(readable));
    harness.pass(MINUTE);
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(store.keys()).as("seed %d", harness.seed).hasSize(RECORDS);
    assertThat(store.rejected).isPositive();
    assertThat(store.applied).isEqualTo(RECORDS + store.rejected);
  }

  private void assertAllSalvaged(MemoryStore store, int records) {
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(store.keys()).as("seed %d", harness.seed).hasSize(records);
  }

  private CrampedStore crampedStore() {
    fill();
    return new CrampedStore(new MemorySetAside(readable), RECORDS * 16 / 10);
  }

  @Test
  void endsOnADiskWithoutRoomForASecondStore() {
    harness.start();
    CrampedStore store = crampedStore();
    restartWith(store, store.corrupted);
    harness.pass(MINUTE.multipliedBy(2));
    assertAllSalvaged(store, RECORDS);
  }

  @Test
  void endsOnADiskThatWasFullBefore() {
    harness.start();
    CrampedStore store = crampedStore();
    store.roomFor = RECORDS;
    restartWith(store, store.corrupted);
    harness.pass(MINUTE.multipliedBy(2));
    assertAllSalvaged(store, RECORDS);
  }

  @Test
  void aNewProcessEndsItOnAFullDisk() {
    harness.start();
    CrampedStore store = crampedStore();
    restartWith(store, store.corrupted);
    MemorySetAside corrupted = store.corrupted;
    for (int i = 0; i < 1_000_000 && store.keys().size() < RECORDS * 4 / 5; i++) {
      harness.loop.runNext();
    }
    assertThat(corrupted.released).isPositive();
    harness.kill(first);
    // The table that was being read is stored, and has not been deleted.
    corrupted.records.stream()
        .skip(corrupted.released)
        .limit(TABLE)
        .map(Salvageable::mutation)
        .forEach(stored -> store.put(stored.key(), stored.record()));
    store.roomFor = store.used() - CrampedStore.RESERVE;
    harness.start(first);
    harness.pass(MINUTE.multipliedBy(2));
    assertAllSalvaged(store, RECORDS);
  }

  /** Restarts with a record that may be the last copy: no peer knows whether it was deleted. */
  private CrampedStore restartWithALastCopy(Map<Integer, List<KeyRange>> unreadable) {
    BitSet all = new BitSet(Slots.COUNT);
    all.set(0, Slots.COUNT);
    for (MemberId peer : harness.members.subList(1, 3)) {
      MemorySetAside lost = new MemorySetAside(List.of());
      lost.lost = new LostKeys(List.of(KeyRange.ALL), all);
      lost.isPending = false;
      harness.setAside.put(peer, lost);
    }
    harness.start();
    harness.pass(MINUTE.multipliedBy(3));
    Versioned old = harness.live(MINUTE.multipliedBy(30), 3);
    readable.add(new Salvageable(new Mutation(LAST, old), false));
    CrampedStore store = crampedStore();
    store.corrupted.unreadable = unreadable;
    restartWith(store, store.corrupted);
    harness.pass(MINUTE.multipliedBy(2));
    return store;
  }

  @Test
  void endsOnAFullDiskWithARecordThatMayBeTheLastCopy() {
    CrampedStore store = restartWithALastCopy(Map.of());
    assertAllSalvaged(store, RECORDS + 1);
    assertThat(store.get(LAST)).isPresent();
    assertThat(store.corrupted.lost).isEqualTo(LostKeys.NONE);
  }

  /** The peers have removed the tombstone already; this member has it among what is unreadable. */
  @Test
  void doesNotStoreAnOldRecordOfWhichThePeersHaveRemovedTheTombstone() {
    harness.start();
    fill();
    Versioned old = harness.live(MINUTE.multipliedBy(30), 3);
    readable.add(new Salvageable(new Mutation(LAST, old), false));
    MemoryStore store = new MemoryStore();
    restartWith(store, new MemorySetAside(readable));
    harness.pass(MINUTE.multipliedBy(2));
    assertAllSalvaged(store, RECORDS);
    assertThat(store.get(LAST)).isEmpty();
  }

  @Test
  void aSecondLossDoesNotReplaceTheFirst() {
    KeyRange before = KeyRange.only(Key.of("lost before"));
    lostBefore = new LostKeys(List.of(before), BitSet.valueOf(new long[] {1}));
    MemorySetAside corrupted = restartWithALoss(0, 0);
    assertThat(corrupted.lost.ranges()).containsExactly(before, LOST);
    assertThat(harness.site(first).repair.report().lost()).isEqualTo(corrupted.lost);
  }

  private MemorySetAside restartWithALoss(int failedKeeps, int failedReleases) {
    harness.start();
    fill();
    readable.add(new Salvageable(new Mutation(Key.of("single"), harness.live(MINUTE, 1)), true));
    MemorySetAside corrupted = new MemorySetAside(readable);
    corrupted.unreadable = Map.of(1, List.of(LOST));
    corrupted.lost = lostBefore;
    corrupted.failedKeeps = failedKeeps;
    corrupted.failedReleases = failedReleases;
    restartWith(new MemoryStore(), corrupted);
    harness.pass(MINUTE.multipliedBy(2));
    return corrupted;
  }

  @Test
  void nothingIsReleasedBeforeItsLossIsRecorded() {
    MemorySetAside corrupted = restartWithALoss(Integer.MAX_VALUE, 0);
    assertThat(corrupted.failedKeeps).as("attempts").isLessThan(Integer.MAX_VALUE - 10);
    assertThat(corrupted.isPending).as("seed %d", harness.seed).isTrue();
    assertThat(harness.site(first).votesOnAll()).isFalse();

    corrupted.failedKeeps = 1;
    harness.pass(MINUTE);
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(corrupted.isPending).isFalse();
    assertThat(corrupted.lost.ranges()).containsExactly(LOST);
  }

  @Test
  void isReleasedAgainAfterAFailure() {
    MemorySetAside corrupted = restartWithALoss(0, 3);
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(corrupted.isPending).isFalse();
    assertThat(corrupted.failedReleases).isZero();
  }

  @Test
  void aLossIsNotAcceptedBeforeThatIsRecorded() {
    MemorySetAside corrupted = restartWithALoss(0, 0);
    corrupted.failedKeeps = 1;
    harness.site(first).repair.acceptLoss();
    harness.pass(MINUTE);
    assertThat(harness.site(first).repair.report().lost().ranges()).containsExactly(LOST);
    harness.site(first).repair.acceptLoss();
    harness.pass(MINUTE);
    assertThat(harness.site(first).repair.report().lost()).isEqualTo(LostKeys.NONE);
  }

  /** That pass deletes tables behind it. */
  @Test
  void whatOnlyTheSecondPassCannotReadIsLostAsWell() {
    KeyRange before = KeyRange.only(Key.of("before"));
    KeyRange between = KeyRange.only(Key.of("between"));
    // Other members replace what is unreadable, except for single copies.
    readable.add(new Salvageable(new Mutation(Key.of("single"), harness.live(MINUTE, 1)), true));
    CrampedStore store =
        restartWithALastCopy(Map.of(1, List.of(before), 2, List.of(before, between)));
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(store.corrupted.passes).isEqualTo(2);
    assertThat(store.corrupted.lost.ranges()).containsExactly(before, between);
  }
}
