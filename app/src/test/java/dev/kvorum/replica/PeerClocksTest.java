package dev.kvorum.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerClocksTest {
  private static final Duration MAX_OFFSET = Duration.ofMillis(500);
  private static final Duration FRESH = Duration.ofMillis(600);
  private static final MemberId B = new MemberId("b");
  private static final MemberId C = new MemberId("c");

  private long nowMillis = 1_800_000_000_000L;
  private final HybridLogicalClock clock =
      new HybridLogicalClock(() -> Instant.ofEpochMilli(nowMillis), MAX_OFFSET, 1, 0);
  private final PeerClocks clocks =
      new PeerClocks(clock, MAX_OFFSET, () -> TimeUnit.MILLISECONDS.toNanos(nowMillis));

  PeerClocksTest() {
    clock.reservedUpTo(Long.MAX_VALUE);
  }

  /**
   * A peer says that this clock is ahead by so much; the way there took no time, that back some.
   */
  private void says(MemberId peer, long aheadMillis, long backMillis) {
    long asked = clocks.wallMillis();
    nowMillis += backMillis;
    clocks.told(peer, asked, asked - aheadMillis, FRESH);
  }

  private void says(MemberId peer, long aheadMillis) {
    says(peer, aheadMillis, 0);
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
    says(B, 700);
    says(C, 700);
    assertThat(givesVersions()).isFalse();
    assertThat(clocks.offsetMillis()).isEqualTo(700);

    says(B, 100);
    assertThat(givesVersions()).isTrue();
  }

  @Test
  void itsMarkStaysWhereItIsMeanwhile() {
    HybridLogicalClock fast =
        new HybridLogicalClock(() -> Instant.ofEpochMilli(nowMillis), MAX_OFFSET, 1, 5);
    fast.doubt(true);
    assertThat(fast.nextHighWaterMillis(Duration.ofSeconds(1))).isEqualTo(5);
    fast.doubt(false);
    assertThat(fast.nextHighWaterMillis(Duration.ofSeconds(1))).isGreaterThan(nowMillis);
  }

  @Test
  void oneWordAgainstIsDoubtAndOneAgainstTwoIsNone() {
    says(B, 700);
    assertThat(givesVersions()).as("nobody agrees with it").isFalse();
    says(C, 0);
    assertThat(givesVersions()).as("it is b whose clock is behind").isTrue();
  }

  @Test
  void whoHasFallenSilentDoesNotAgreeForLong() {
    says(B, 0);
    nowMillis += FRESH.toMillis();
    says(C, 60_000);
    assertThat(givesVersions()).isFalse();
  }

  @Test
  void whatIsAgainstItHoldsUntilItIsTakenBack() {
    says(B, 60_000);
    nowMillis += 10 * FRESH.toMillis();
    says(C, 60_000);
    says(C, 0);
    assertThat(givesVersions()).as("b was not heard again, c agrees").isTrue();
    nowMillis += FRESH.toMillis();
    says(C, 60_000);
    assertThat(givesVersions()).isFalse();
  }

  @Test
  void aSlowAnswerProvesNothing() {
    says(B, 400, 300);
    assertThat(givesVersions()).isTrue();
    says(B, 700);
    says(B, 400, 300);
    assertThat(givesVersions()).as("that the doubt was wrong").isFalse();
    says(B, 100, 300);
    assertThat(givesVersions()).isTrue();
  }

  @Test
  void aClockThatIsBehindIsNotInDoubt() {
    says(B, -700);
    says(C, -700);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isEqualTo(-700);
  }

  @Test
  void ofFiveItTakesThreeAgainstTwo() {
    says(new MemberId("d"), 0);
    says(B, 700);
    says(C, 700);
    assertThat(givesVersions()).isFalse();
    says(new MemberId("e"), 0);
    assertThat(givesVersions()).as("two of four others agree").isTrue();
  }

  @Test
  void whoIsNoMemberAnyMoreHasNoSay() {
    says(B, 700);
    clocks.forget(B);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isZero();
  }
}
