package dev.kvorum.repair;

import static dev.kvorum.repair.RepairHarness.AGE_MIN;
import static dev.kvorum.repair.RepairHarness.HORIZON;
import static dev.kvorum.repair.RepairHarness.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Records whose tombstones have been removed elsewhere do not come back. */
class PurgedRecordsTest {
  private static final Duration MOMENT = Duration.ofMillis(100);
  private static final Duration OLD = AGE_MIN.plus(INTERVAL.multipliedBy(4));

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId first = harness.members.getFirst();
  private final MemberId lost = harness.members.get(1);
  private final Key key = Key.of("deleted elsewhere");

  /** A corrupted store with one record, which may take for ever to read. */
  private record OneRecord(Mutation record, boolean isReadable) implements SetAsideStores {
    @Override
    public boolean isPending() {
      return true;
    }

    @Override
    public void begin() {}

    @Override
    public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
      List<Salvaged.Salvageable> all = List.of(new Salvaged.Salvageable(record, true));
      Salvaged page = new Salvaged.Page(all, List.of(), true);
      loop.execute(() -> waiter.reply(isReadable ? page : new Salvaged.Failed("not yet")));
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
      return LostKeys.NONE;
    }

    @Override
    public void keepLost(LostKeys lost, Executor loop, Consumer<Boolean> kept) {
      loop.execute(() -> kept.accept(true));
    }

    @Override
    public void release(Executor loop, Consumer<Boolean> released) {
      loop.execute(() -> released.accept(true));
    }
  }

  @Test
  void aCorruptedStoreBringsNothingBackOnceItsMemberWasReset() {
    harness.start();
    Versioned record = harness.live(HORIZON, 3);
    harness.kill(first);
    harness.founded = true;
    harness.store(first).reset();
    harness
        .store(first)
        .keepMark("clock-high-water", harness.wallMillis(), Runnable::run, kept -> {});
    harness.setAside.put(first, new OneRecord(new Mutation(key, record), true));
    harness.start(first);
    harness.pass(INTERVAL);
    assertThat(harness.site(first).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(harness.stores.values())
        .as("seed %d", harness.seed)
        .allMatch(store -> store.get(key).isEmpty());
  }

  @Test
  void aMemberThatWasCutOffHandsNothingOnBeforeItHasAskedWhatItMissed() {
    harness.start();
    harness.pass(INTERVAL.multipliedBy(3));
    harness.network.cutOff(first);
    harness.put(key, harness.tombstone(MOMENT, 3));
    harness.store(first).put(key, harness.live(MOMENT.multipliedBy(2), 3));
    harness.pass(HORIZON.plus(OLD));
    assertThat(harness.store(1).get(key)).as("the tombstone").isEmpty();
    harness.network.bringBack(first);
    RepairMember back = harness.site(first);
    assertThat(back.repair.hasAll()).isTrue();
    back.follow(leaving(harness.members.getLast()));
    assertThat(back.repair.hasAll()).as("before it has asked").isFalse();
    harness.pass(MOMENT);
    assertThat(back.resets).as("seed %d", harness.seed).hasSize(1);
  }

  @Test
  void aTombstoneStaysFromTheFirstWordOfAMemberWithANewStore() {
    harness.start();
    passUntilSecond(20);
    // Due from the next comparison but one on.
    Versioned tombstone = harness.tombstone(AGE_MIN.minus(INTERVAL.dividedBy(2)), 3);
    harness.put(key, tombstone);
    passUntilSecond(45);
    passUntilSecond(44);
    harness.kill(first);
    harness.store(first).reset();
    harness.setAside.put(first, new OneRecord(new Mutation(key, tombstone), false));
    harness.start(first);
    passUntilSecond(40);
    for (int other = 1; other < 3; other++) {
      assertThat(harness.store(other).get(key)).as("seed %d", harness.seed).isPresent();
    }
  }

  /** Sessions begin five seconds after each minute. */
  private void passUntilSecond(long second) {
    long minute = INTERVAL.toMillis();
    harness.pass(Duration.ofMillis(Math.floorMod(second * 1000 - harness.wallMillis(), minute)));
  }

  @Test
  void aMemberThatWasAwayHandsNothingOnBeforeItsPeersHaveSaidWhatItMissed() {
    MemberId down = harness.members.get(2);
    deleteWithoutFirst(() -> harness.kill(first));
    harness.kill(down);
    harness.start(first);
    assertNothingIsCopied();
    assertThat(harness.site(first).votesOnAll()).isTrue();
    harness.start(down);
    assertTheDeleteStays();
  }

  @Test
  void aMemberThatWasCutOffHandsNothingOnToOneThatLostItsDisk() {
    deleteWithoutFirst(() -> harness.network.cutOff(first));
    harness.network.part(first, harness.members.get(2));
    harness.network.bringBack(first);
    assertNothingIsCopied();
    harness.network.heal();
    assertTheDeleteStays();
  }

  @Test
  void membersThatWereCutOffAreCopiedFromAsSoonAsTheyHaveAsked() {
    harness.start();
    harness.founded = true;
    harness.put(key, harness.live(MOMENT, 3));
    harness.pass(INTERVAL.multipliedBy(3));
    harness.network.part(first, harness.members.get(2));
    harness.kill(lost);
    harness.pass(HORIZON.plus(OLD));
    harness.loseDisk(lost);
    harness.network.heal();
    harness.start(lost);
    harness.pass(Duration.ofSeconds(1));
    assertThat(harness.site(lost).votesOnAll()).as("seed %d", harness.seed).isTrue();
  }

  /** The others delete a record, remove the tombstone, and one of them loses its disk. */
  private void deleteWithoutFirst(Runnable goAway) {
    harness.start();
    harness.founded = true;
    harness.put(key, harness.live(MOMENT, 3));
    harness.pass(INTERVAL.multipliedBy(3));
    goAway.run();
    harness.putExcept(key, harness.tombstone(MOMENT, 3), Set.of(first));
    harness.pass(HORIZON.plus(OLD));
    for (int other = 1; other < 3; other++) {
      assertThat(harness.store(other).get(key)).as("the tombstone").isEmpty();
    }
    harness.kill(lost);
    harness.loseDisk(lost);
  }

  private void assertNothingIsCopied() {
    harness.start(lost);
    harness.pass(Duration.ofMinutes(1));
    assertThat(harness.store(lost).keys()).as("seed %d", harness.seed).isEmpty();
  }

  private void assertTheDeleteStays() {
    harness.pass(INTERVAL.multipliedBy(5));
    assertThat(harness.keys()).as("seed %d", harness.seed).isEmpty();
    assertThat(harness.sites.values()).allMatch(RepairMember::votesOnAll);
  }

  private Layout leaving(MemberId gone) {
    List<Member> members =
        harness.members.stream()
            .map(id ->
                new Member(id, "", id.equals(gone) ? MemberState.LEAVING : MemberState.ACTIVE))
            .toList();
    return Layout.of(new Topology("bench", 2, Phase.TRANSFERRING, members));
  }
}
