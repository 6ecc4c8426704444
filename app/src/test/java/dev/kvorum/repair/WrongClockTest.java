package dev.kvorum.repair;

import static dev.kvorum.repair.RepairHarness.AGE_MIN;
import static dev.kvorum.repair.RepairHarness.HORIZON;
import static dev.kvorum.repair.RepairHarness.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that jumps destroys nothing and holds nothing up, for however long it is wrong. */
class WrongClockTest {
  private static final Duration MONTH = Duration.ofDays(31);
  private static final Duration ROUNDS = INTERVAL.multipliedBy(4);

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId a = harness.members.get(0);
  private final MemberId b = harness.members.get(1);
  private final MemberId c = harness.members.get(2);
  private final Key key = Key.of("session");
  private final Key other = Key.of("other");

  /** A record that is an hour old and lives for a while from now on. */
  private Versioned livesFor(Duration ttl) {
    Versioned live = harness.live(Duration.ofHours(1), 3);
    return Versioned.live(live.version(), harness.wallMillis() + ttl.toMillis(), 3, live.value());
  }

  private void assertEverywhere(Versioned record) {
    harness.stores.forEach((member, store) ->
        assertThat(store.get(key)).as("seed %d: %s", harness.seed, member).contains(record));
  }

  private void assertLiveNowhere() {
    harness.stores.forEach((member, store) ->
        assertThat(store.get(key).filter(record -> !record.tombstone()))
            .as("seed %d: %s", harness.seed, member)
            .isEmpty());
  }

  private double failedPulls() {
    return harness.sites.values().stream()
        .mapToDouble(site -> site.counted("kvorum.repair.sessions", "outcome", "failed"))
        .sum();
  }

  private void assertRepairContinues() {
    for (MemberId missing : harness.members) {
      harness.putExcept(other, harness.live(Duration.ofSeconds(20), 3), Set.of(missing));
      harness.pass(ROUNDS);
      harness.assertEqual();
    }
    assertThat(harness.sites.values()).allMatch(site -> site.resets.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 500, 2000, 30_000, 3_600_000})
  void aMemberDaysAheadExpiresNothingAndBlocksNothing(long forMillis) {
    harness.start();
    Versioned record = livesFor(Duration.ofDays(20));
    harness.put(key, record);
    harness.pass(ROUNDS);
    harness.setClock(0, MONTH);
    harness.pass(Duration.ofMillis(forMillis));
    assertEverywhere(record);
    harness.setClock(0, Duration.ZERO);
    harness.pass(ROUNDS);
    assertEverywhere(record);
    double failed = failedPulls();
    assertRepairContinues();
    assertThat(failedPulls()).isEqualTo(failed);
    assertThat(failed).as("pulls that a wrong clock broke").isLessThan(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 2000, 600_000})
  void aMemberHoursBehindBlocksNothing(long forMillis) {
    harness.start();
    harness.pass(ROUNDS);
    harness.setClock(1, Duration.ofHours(-5));
    harness.putExcept(other, harness.live(Duration.ofMinutes(1), 3), Set.of(a));
    harness.pass(Duration.ofMillis(forMillis));
    harness.setClock(1, Duration.ZERO);
    harness.pass(ROUNDS);
    harness.assertEqual();
    assertRepairContinues();
  }

  @Test
  void aClockThatStaysBehindKeepsNobodyFromRepair() {
    harness.start();
    harness.pass(ROUNDS);
    harness.setClock(1, Duration.ofHours(-5));
    // What is newer than the clock by more than the bound is rejected; this is not.
    harness.putExcept(other, harness.live(Duration.ofHours(6), 3), Set.of(b));
    harness.putExcept(key, harness.live(Duration.ofSeconds(20), 3), Set.of(a));
    harness.pass(ROUNDS);
    harness.assertEqual();
  }

  @Test
  void aPeerThatWasBehindMakesNobodyResetItsStore() {
    harness.start();
    harness.put(key, harness.tombstone(Duration.ZERO, 3));
    harness.pass(AGE_MIN.plus(ROUNDS));
    assertThat(harness.store(1).purgedUpTo()).isPositive();
    holdBackTheMajoritysTime();
    harness.pass(ROUNDS);
    harness.setClock(1, Duration.ZERO);
    harness.pass(ROUNDS);
    harness.network.bringBack(c);
    assertRepairContinues();
  }

  @Test
  void aMarkThatOnlyASlowPeerTakesForTheFutureStays() {
    harness.start();
    harness.pass(ROUNDS);
    long removed = harness.wallMillis();
    mark(0, RepairMarks.purgedWithoutName(c), removed);
    holdBackTheMajoritysTime();
    harness.pass(ROUNDS);
    assertThat(harness.store(0).mark(RepairMarks.purgedWithoutName(c))).isEqualTo(removed);
  }

  /** Of two members that see each other, the slower clock is a majority's. */
  private void holdBackTheMajoritysTime() {
    harness.network.cutOff(c);
    harness.setClock(1, HORIZON.multipliedBy(-2));
  }

  @Test
  void tombstonesAreStillPurgedAfterAJump() {
    harness.start();
    harness.setClock(0, MONTH);
    harness.pass(Duration.ofMinutes(3));
    harness.setClock(0, Duration.ZERO);
    harness.put(key, harness.tombstone(Duration.ZERO, 3));
    harness.pass(AGE_MIN.plus(ROUNDS));
    assertThat(harness.keys()).as("seed %d", harness.seed).isEmpty();
    assertThat(harness.sites.values()).allMatch(site -> site.resets.isEmpty());
  }

  @Test
  void aRecordThatOneMemberExpiredTooEarlyComesBack() {
    harness.start();
    Versioned record = livesFor(Duration.ofDays(20));
    harness.put(key, record);
    harness.pass(ROUNDS);
    harness.store(1).put(key, Versioned.tombstone(record.version(), 3));
    harness.pass(ROUNDS);
    assertEverywhere(record);
  }

  @Test
  void soDoesOneThatAMajorityExpiredAndOneThatIsRemovedAlready() {
    harness.start();
    Versioned record = livesFor(Duration.ofDays(20));
    harness.put(key, record);
    harness.store(0).put(key, Versioned.tombstone(record.version(), 3));
    harness.store(1).put(key, Versioned.tombstone(record.version(), 3));
    harness.store(1).remove(key, record.version(), Runnable::run, applied -> {});
    harness.pass(ROUNDS);
    assertEverywhere(record);
  }

  @Test
  void aTombstoneWinsOnceTheRecordHasExpired() {
    harness.start();
    harness.pass(ROUNDS);
    Versioned record = livesFor(Duration.ofMillis(400));
    harness.put(key, record);
    harness.store(1).put(key, Versioned.tombstone(record.version(), 3));
    harness.pass(Duration.ofMillis(1));
    harness.pass(ROUNDS);
    assertLiveNowhere();
    assertThat(harness.site(1).counted("kvorum.repair.records")).isZero();
  }

  @Test
  void whatCameBackExpiresWhenItIsTime() {
    harness.start();
    Versioned record = livesFor(Duration.ofMinutes(30));
    harness.put(key, record);
    harness.store(2).put(key, Versioned.tombstone(record.version(), 3));
    harness.pass(ROUNDS);
    assertEverywhere(record);
    harness.pass(Duration.ofMinutes(30));
    assertLiveNowhere();
    harness.pass(AGE_MIN.plus(ROUNDS));
    assertThat(harness.keys()).isEmpty();
  }

  @Test
  void stampsFromTheFutureHoldNoRebuildUpAndMoveNoClock() {
    harness.start();
    harness.put(other, harness.live(Duration.ofMinutes(1), 3));
    harness.put(key, harness.live(MONTH.negated(), 3));
    harness.kill(b);
    harness.loseDisk(b);
    harness.start(b);
    harness.pass(ROUNDS);
    assertThat(harness.site(1).votesOnAll()).as("seed %d", harness.seed).isTrue();
    assertThat(harness.store(1).get(key)).isEqualTo(harness.store(0).get(key));
    Version given = Objects.requireNonNull(harness.site(1).clock.next());
    assertThat(given.millis()).isEqualTo(harness.wallMillis());
    assertRepairContinues();
  }

  @Test
  void cutsThatLieInTheFutureAreForgotten() {
    long future = (harness.wallMillis() + MONTH.toMillis()) << 16;
    for (MemberId peer : harness.members) {
      mark(0, RepairMarks.pulledName(peer), future);
      mark(0, RepairMarks.pulledByName(peer), future);
    }
    mark(0, RepairMarks.LIFE, RepairMarks.newLife(future >>> 16, 7));
    mark(0, RepairMarks.COMPLETE, future >>> 16);
    mark(1, RepairMarks.COMPLETE, harness.wallMillis());
    mark(2, RepairMarks.COMPLETE, harness.wallMillis());
    harness.start();
    harness.pass(ROUNDS);
    assertRepairContinues();
    harness.put(key, harness.tombstone(Duration.ZERO, 3));
    harness.pass(AGE_MIN.plus(ROUNDS));
    assertThat(harness.store(0).get(key)).as("seed %d", harness.seed).isEmpty();
    long life = harness.store(0).mark(RepairMarks.LIFE);
    assertThat(RepairMarks.beginOf(life)).isLessThanOrEqualTo(harness.wallMillis());
  }

  @Test
  void aMemberStartsOverOnceForARemovalThatWasNotedInTheFuture() {
    for (int i = 0; i < 3; i++) {
      long begun = harness.wallMillis() - HORIZON.toMillis();
      mark(i, RepairMarks.LIFE, RepairMarks.newLife(begun, i));
      mark(i, RepairMarks.COMPLETE, begun);
    }
    mark(0, RepairMarks.purgedWithoutName(b), harness.wallMillis() + MONTH.toMillis());
    harness.members.forEach(harness::start);
    harness.pass(HORIZON.multipliedBy(2));
    assertThat(harness.site(1).resets).as("seed %d", harness.seed).hasSize(1);
    assertThat(harness.site(1).votesOnAll()).isTrue();
    harness.assertEqual();
  }

  private void mark(int member, String name, long number) {
    harness.store(member).keepMark(name, number, Runnable::run, applied -> {});
  }
}
