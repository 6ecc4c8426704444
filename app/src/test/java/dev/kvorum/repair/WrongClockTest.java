package dev.kvorum.repair;

import static dev.kvorum.repair.RepairBench.AGE_MIN;
import static dev.kvorum.repair.RepairBench.HORIZON;
import static dev.kvorum.repair.RepairBench.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that jumps destroys nothing and holds nothing up, for however long it is wrong. */
class WrongClockTest {
  private static final Duration MONTH = Duration.ofDays(31);
  private static final Duration ROUNDS = INTERVAL.multipliedBy(4);

  private final RepairBench bench = new RepairBench(3);
  private final MemberId a = bench.members.get(0);
  private final MemberId b = bench.members.get(1);
  private final Key key = Key.of("session");
  private final Key other = Key.of("other");

  /** A record that is an hour old and lives for a while from now on. */
  private Versioned livesFor(Duration ttl) {
    Versioned live = bench.live(Duration.ofHours(1), 3);
    return Versioned.live(live.version(), bench.wallMillis() + ttl.toMillis(), 3, live.value());
  }

  private void assertEverywhere(Versioned record) {
    bench.stores.forEach((member, store) ->
        assertThat(store.get(key)).as("seed %d: %s", bench.seed, member).contains(record));
  }

  private void assertLiveNowhere() {
    bench.stores.forEach((member, store) ->
        assertThat(store.get(key).filter(record -> !record.tombstone()))
            .as("seed %d: %s", bench.seed, member)
            .isEmpty());
  }

  private double failedPulls() {
    return bench.sites.values().stream()
        .mapToDouble(site -> site.counted("kvorum.repair.pulls.failed"))
        .sum();
  }

  private void assertRepairGoesOn() {
    for (MemberId missing : bench.members) {
      bench.putExcept(other, bench.live(Duration.ofSeconds(20), 3), Set.of(missing));
      bench.pass(ROUNDS);
      bench.assertEqual();
    }
    assertThat(bench.sites.values()).allMatch(site -> site.startOvers.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 500, 2000, 30_000, 3_600_000})
  void aMemberDaysAheadExpiresNothingAndHoldsNothingUp(long forMillis) {
    bench.start();
    Versioned record = livesFor(Duration.ofDays(20));
    bench.put(key, record);
    bench.pass(ROUNDS);
    bench.setClock(0, MONTH);
    bench.pass(Duration.ofMillis(forMillis));
    assertEverywhere(record);
    bench.setClock(0, Duration.ZERO);
    bench.pass(ROUNDS);
    assertEverywhere(record);
    double failed = failedPulls();
    assertRepairGoesOn();
    assertThat(failedPulls()).isEqualTo(failed);
    assertThat(failed).as("pulls that a wrong clock broke").isLessThan(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 2000, 600_000})
  void aMemberHoursBehindHoldsNothingUp(long forMillis) {
    bench.start();
    bench.pass(ROUNDS);
    bench.setClock(1, Duration.ofHours(-5));
    bench.putExcept(other, bench.live(Duration.ofMinutes(1), 3), Set.of(a));
    bench.pass(Duration.ofMillis(forMillis));
    bench.setClock(1, Duration.ZERO);
    bench.pass(ROUNDS);
    bench.assertEqual();
    assertRepairGoesOn();
  }

  @Test
  void aClockThatStaysBehindKeepsNobodyFromRepair() {
    bench.start();
    bench.pass(ROUNDS);
    bench.setClock(1, Duration.ofHours(-5));
    // What is newer than the clock by more than the bound is refused; this is not.
    bench.putExcept(other, bench.live(Duration.ofHours(6), 3), Set.of(b));
    bench.putExcept(key, bench.live(Duration.ofSeconds(20), 3), Set.of(a));
    bench.pass(ROUNDS);
    bench.assertEqual();
  }

  @Test
  void tombstonesGoOnBeingRemovedAfterAJump() {
    bench.start();
    bench.setClock(0, MONTH);
    bench.pass(Duration.ofMinutes(3));
    bench.setClock(0, Duration.ZERO);
    bench.put(key, bench.tombstone(Duration.ZERO, 3));
    bench.pass(AGE_MIN.plus(ROUNDS));
    assertThat(bench.keys()).as("seed %d", bench.seed).isEmpty();
    assertThat(bench.sites.values()).allMatch(site -> site.startOvers.isEmpty());
  }

  @Test
  void aRecordThatOneMemberExpiredTooEarlyComesBack() {
    bench.start();
    Versioned record = livesFor(Duration.ofDays(20));
    bench.put(key, record);
    bench.pass(ROUNDS);
    bench.store(1).put(key, Versioned.tombstone(record.version(), 3));
    bench.pass(ROUNDS);
    assertEverywhere(record);
  }

  @Test
  void soDoesOneThatAMajorityExpiredAndOneThatIsRemovedAlready() {
    bench.start();
    Versioned record = livesFor(Duration.ofDays(20));
    bench.put(key, record);
    bench.store(0).put(key, Versioned.tombstone(record.version(), 3));
    bench.store(1).put(key, Versioned.tombstone(record.version(), 3));
    bench.store(1).remove(key, record.version(), Runnable::run, applied -> {});
    bench.pass(ROUNDS);
    assertEverywhere(record);
  }

  @Test
  void aTombstoneWinsOnceTheRecordHasExpired() {
    bench.start();
    bench.pass(ROUNDS);
    Versioned record = livesFor(Duration.ofMillis(400));
    bench.put(key, record);
    bench.store(1).put(key, Versioned.tombstone(record.version(), 3));
    bench.pass(Duration.ofMillis(1));
    bench.pass(ROUNDS);
    assertLiveNowhere();
    assertThat(bench.site(1).counted("kvorum.repair.records")).isZero();
  }

  @Test
  void whatCameBackExpiresWhenItIsTime() {
    bench.start();
    Versioned record = livesFor(Duration.ofMinutes(30));
    bench.put(key, record);
    bench.store(2).put(key, Versioned.tombstone(record.version(), 3));
    bench.pass(ROUNDS);
    assertEverywhere(record);
    bench.pass(Duration.ofMinutes(30));
    assertLiveNowhere();
    bench.pass(AGE_MIN.plus(ROUNDS));
    assertThat(bench.keys()).isEmpty();
  }

  @Test
  void cutsThatLieInTheFutureAreForgotten() {
    long future = (bench.wallMillis() + MONTH.toMillis()) << 16;
    for (MemberId peer : bench.members) {
      mark(0, RepairMarks.pulledName(peer), future);
      mark(0, RepairMarks.pulledByName(peer), future);
    }
    mark(0, RepairMarks.LIFE, RepairMarks.newLife(future >>> 16, 7));
    mark(0, RepairMarks.WHOLE, future >>> 16);
    mark(1, RepairMarks.WHOLE, bench.wallMillis());
    mark(2, RepairMarks.WHOLE, bench.wallMillis());
    bench.start();
    bench.pass(ROUNDS);
    assertRepairGoesOn();
    bench.put(key, bench.tombstone(Duration.ZERO, 3));
    bench.pass(AGE_MIN.plus(ROUNDS));
    assertThat(bench.store(0).get(key)).as("seed %d", bench.seed).isEmpty();
    long life = bench.store(0).mark(RepairMarks.LIFE);
    assertThat(RepairMarks.beginOf(life)).isLessThanOrEqualTo(bench.wallMillis());
  }

  @Test
  void aMemberStartsOverOnceForARemovalThatWasNotedInTheFuture() {
    for (int i = 0; i < 3; i++) {
      long begun = bench.wallMillis() - HORIZON.toMillis();
      mark(i, RepairMarks.LIFE, RepairMarks.newLife(begun, i));
      mark(i, RepairMarks.WHOLE, begun);
    }
    mark(0, RepairMarks.removedWithoutName(b), bench.wallMillis() + MONTH.toMillis());
    bench.start();
    bench.pass(HORIZON.multipliedBy(2));
    assertThat(bench.site(1).startOvers).as("seed %d", bench.seed).hasSize(1);
    assertThat(bench.site(1).votesOnAll()).isTrue();
    bench.assertEqual();
  }

  private void mark(int member, String name, long number) {
    bench.store(member).keepMark(name, number, Runnable::run, applied -> {});
  }
}
