package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Version;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RemoteClockMonitorTest {
  private static final Duration MAX_OFFSET = Duration.ofMillis(500);
  private static final long MONTH = Duration.ofDays(31).toMillis();
  private static final Duration FRESH = Duration.ofMillis(600);
  private static final MemberId B = new MemberId("b");
  private static final MemberId C = new MemberId("c");

  private long nowMillis = 1_800_000_000_000L;
  private final HybridLogicalClock clock =
      new HybridLogicalClock(() -> Instant.ofEpochMilli(nowMillis), MAX_OFFSET, 1, 0);
  private long monotoneMillis;
  private List<MemberId> peers = List.of(B, C);
  private final RemoteClockMonitor clocks =
      new RemoteClockMonitor(
          clock, MAX_OFFSET, () -> TimeUnit.MILLISECONDS.toNanos(monotoneMillis), () -> peers);

  RemoteClockMonitorTest() {
    clock.reservedUpTo(Long.MAX_VALUE);
  }

  /**
   * A peer's reading shows this clock ahead by so much; the request took no time, the reply some.
   */
  private void reports(MemberId peer, long aheadMillis, long backMillis) {
    RemoteClockMonitor.Asked asked = clocks.ask();
    pass(backMillis);
    clocks.onReading(peer, asked, asked.wallMillis() - aheadMillis, FRESH);
  }

  private void reports(MemberId peer, long aheadMillis) {
    reports(peer, aheadMillis, 0);
  }

  private void pass(long millis) {
    nowMillis += millis;
    monotoneMillis += millis;
  }

  private boolean givesVersions() {
    return clock.next() != null;
  }

  @Test
  void aClockThatNobodyHasSpokenOfIsGood() {
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isZero();
  }

  @Test
  void oneThatAllFindAheadGivesNothingUntilItIsRight() {
    reports(B, 700);
    reports(C, 700);
    assertThat(givesVersions()).isFalse();
    assertThat(clocks.offsetMillis()).isEqualTo(700);

    reports(B, 100);
    assertThat(givesVersions()).isTrue();
  }

  @Test
  void itsMarkStaysWhereItIsMeanwhile() {
    HybridLogicalClock fast =
        new HybridLogicalClock(() -> Instant.ofEpochMilli(nowMillis), MAX_OFFSET, 1, 5);
    fast.suspend(true);
    assertThat(fast.nextHighWaterMillis(Duration.ofSeconds(1))).isEqualTo(5);
    fast.suspend(false);
    assertThat(fast.nextHighWaterMillis(Duration.ofSeconds(1))).isGreaterThan(nowMillis);
  }

  @Test
  void aDisagreeingPeerSuspendsTheClockUnlessAnotherAgreesWithIt() {
    reports(B, 700);
    assertThat(givesVersions()).as("nobody agrees with it").isFalse();
    reports(C, 0);
    assertThat(givesVersions()).as("it is b whose clock is behind").isTrue();
  }

  @Test
  void aSilentPeerDoesNotCountForLong() {
    reports(B, 0);
    pass(FRESH.toMillis());
    reports(C, 60_000);
    assertThat(givesVersions()).isFalse();
  }

  @Test
  void whatIsAgainstItHoldsUntilItIsTakenBack() {
    reports(B, 60_000);
    pass(10 * FRESH.toMillis());
    reports(C, 60_000);
    reports(C, 0);
    assertThat(givesVersions()).as("b has not reported again, c agrees").isTrue();
    pass(FRESH.toMillis());
    reports(C, 60_000);
    assertThat(givesVersions()).isFalse();
  }

  @Test
  void aSlowAnswerProvesNothing() {
    reports(B, 400, 300);
    assertThat(givesVersions()).isTrue();
    reports(B, 700);
    reports(B, 400, 300);
    assertThat(givesVersions()).as("that the doubt was wrong").isFalse();
    reports(B, 100, 300);
    assertThat(givesVersions()).isTrue();
  }

  @Test
  void aSilentPeerStillShowsWhichOfTwoClocksIsBehind() {
    reports(B, 0);
    reports(C, 0);
    pass(10_000);
    long right = nowMillis;
    nowMillis -= MONTH;
    reports(C, -MONTH);
    assertThat(clocks.corrected(nowMillis)).isBetween(right - 2, right);
    assertThat(clocks.majorityMillis()).as("what expires goes by fresh ones").hasValue(nowMillis);
  }

  @Test
  void ofFourOneThatIsBehindAndASilentOneDoNotTurnTimeBack() {
    MemberId d = new MemberId("d");
    peers = List.of(B, C, d);
    reports(B, 0);
    reports(C, 0);
    reports(d, 0);
    pass(10_000);
    reports(B, MONTH);
    reports(C, 0);
    assertThat(clocks.corrected(nowMillis)).isEqualTo(nowMillis);
  }

  @Test
  void theFirstReplyAfterAPauseCountsLessThanAQuickOneBeforeIt() {
    reports(B, 0);
    long right = nowMillis;
    RemoteClockMonitor.Asked asked = clocks.ask();
    pass(3000);
    // It drifted by some, so it cannot have been as it was: but it has not gone back by seconds.
    clocks.onReading(B, asked, right - 10, FRESH);
    reports(C, 0);
    nowMillis -= MONTH;
    assertThat(clocks.corrected(nowMillis)).isBetween(right + 2980, right + 3000);

    pass(10_000);
    reports(C, -MONTH);
    RemoteClockMonitor.Asked again = clocks.ask();
    pass(3000);
    clocks.onReading(B, again, right, FRESH);
    assertThat(clocks.corrected(nowMillis)).as("it may have gone back").isLessThan(right + 3000);
  }

  @Test
  void aClockThatIsBehindIsNotSuspended() {
    reports(B, -700);
    reports(C, -700);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isEqualTo(-700);
  }

  @Test
  void ofFiveItTakesThreeAgainstTwo() {
    peers = List.of(B, C, new MemberId("d"), new MemberId("e"));
    reports(new MemberId("d"), 0);
    reports(B, 700);
    reports(C, 700);
    assertThat(givesVersions()).isFalse();
    reports(new MemberId("e"), 0);
    assertThat(givesVersions()).as("two of four others agree").isTrue();
  }

  @Test
  void theClockOfAFormerMemberDoesNotCount() {
    reports(B, 700);
    clocks.remove(B);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isZero();
  }

  @Test
  void aJumpIsNoticedBeforeAnybodyIsAskedAgain() {
    reports(B, 0);
    reports(C, 0);
    pass(1);
    assertThat(givesVersions()).isTrue();
    long mark = clock.nextHighWaterMillis(Duration.ofSeconds(1));
    nowMillis += MONTH;
    assertThat(givesVersions()).isFalse();
    assertThat(clocks.isSuspended()).isTrue();
    assertThat(clock.nextHighWaterMillis(Duration.ofDays(99))).isEqualTo(clock.highWaterMillis());
    assertThat(clock.observe(new Version(nowMillis << 16, 1))).as("what is as far ahead").isFalse();
    assertThat(clock.correctedMillis()).isBetween(nowMillis - MONTH - 5, nowMillis - MONTH);
    nowMillis -= MONTH;
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.isSuspended()).isFalse();
    assertThat(mark).isPositive();
  }

  @Test
  void theMajoritysTimeIsThatOfTheMiddleClock() {
    reports(B, 300);
    reports(C, -200);
    assertThat(majorityAhead()).as("between the two: the own clock").isZero();
    reports(C, 100);
    assertThat(majorityAhead()).as("behind both: the closer one").isBetween(-102L, -100L);
    reports(B, -400);
    reports(C, -300);
    assertThat(majorityAhead()).isBetween(298L, 300L);
  }

  @Test
  void oneWrongClockMovesNoMajority() {
    reports(B, 0);
    for (long wrong : new long[] {MONTH, -MONTH}) {
      reports(C, wrong);
      pass(10);
      assertThat(majorityAhead()).isBetween(-3L, 0L);
      assertThat(clock.correctedMillis()).isEqualTo(nowMillis);
    }
  }

  @Test
  void tooFewClocksAreNoMajority() {
    peers = List.of(B, C, new MemberId("d"), new MemberId("e"));
    reports(B, 0);
    assertThat(clocks.majorityMillis()).isEmpty();
    nowMillis += MONTH;
    assertThat(clock.correctedMillis()).as("all there is to go by").isEqualTo(nowMillis);
    nowMillis -= MONTH;
    reports(C, 0);
    assertThat(clocks.majorityMillis()).isPresent();
  }

  @Test
  void aNodeAloneIsTheMajority() {
    HybridLogicalClock own =
        new HybridLogicalClock(() -> Instant.ofEpochMilli(nowMillis), MAX_OFFSET, 1, 0);
    RemoteClockMonitor none =
        new RemoteClockMonitor(own, MAX_OFFSET, () -> monotoneMillis, List::of);
    nowMillis += MONTH;
    assertThat(none.majorityMillis()).hasValue(nowMillis);
    assertThat(none.isSuspended()).isFalse();
  }

  @Test
  void aSlowAnswerDoesNotMakeTheTimeUncertain() {
    reports(B, 0);
    reports(C, 0);
    reports(B, 0, 5000);
    reports(C, 0, 5000);
    assertThat(majorityAhead()).isBetween(-3L, 0L);
  }

  @Test
  void expiryIsJudgedByTheOthersWhereTheOwnClockIsFarBehind() {
    reports(B, 0);
    reports(C, 0);
    nowMillis -= MONTH;
    assertThat(clock.correctedMillis()).isBetween(nowMillis + MONTH - 5, nowMillis + MONTH);
    nowMillis += MONTH - 400;
    assertThat(clock.correctedMillis()).as("within the bound it is its own").isEqualTo(nowMillis);
  }

  private long majorityAhead() {
    return clocks.majorityMillis().orElseThrow() - nowMillis;
  }
}
