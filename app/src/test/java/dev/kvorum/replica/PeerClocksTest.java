package dev.kvorum.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerClocksTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final Duration MAX_OFFSET = Duration.ofMillis(500);
  private static final MemberId B = new MemberId("b");
  private static final MemberId C = new MemberId("c");

  private final HybridLogicalClock clock =
      new HybridLogicalClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), MAX_OFFSET, 1, 0);
  private final PeerClocks clocks = new PeerClocks(clock, MAX_OFFSET);

  PeerClocksTest() {
    clock.reservedUpTo(NOW + 60_000);
  }

  private void says(MemberId peer, long aheadMillis, long tripMillis) {
    clocks.heard(peer, NOW - aheadMillis, TimeUnit.MILLISECONDS.toNanos(tripMillis));
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
    says(B, 700, 1);
    says(C, 700, 1);
    assertThat(givesVersions()).isFalse();
    assertThat(clocks.offsetMillis()).isBetween(690L, 700L);

    says(B, 100, 1);
    assertThat(givesVersions()).isTrue();
  }

  @Test
  void oneWordAgainstAnotherIsDoubtAndOneAgainstTwoIsNone() {
    says(B, 700, 1);
    assertThat(givesVersions()).as("nobody agrees with it").isFalse();
    says(C, 0, 1);
    assertThat(givesVersions()).as("it is b whose clock is behind").isTrue();
  }

  @Test
  void aClockThatIsBehindIsNotInDoubt() {
    says(B, -700, 1);
    says(C, -700, 1);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isNegative();
  }

  @Test
  void aSlowAnswerProvesOnlyWhatWasSoWhenItWasAskedFor() {
    says(B, 700, 300);
    assertThat(givesVersions()).isTrue();
    says(B, 900, 300);
    assertThat(givesVersions()).isFalse();
  }

  @Test
  void whoIsNoMemberAnyMoreHasNoSay() {
    says(B, 700, 1);
    clocks.forget(B);
    assertThat(givesVersions()).isTrue();
    assertThat(clocks.offsetMillis()).isZero();
  }
}
