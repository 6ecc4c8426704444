package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureDetectorTest {
  // Shortly before the monotone clock overflows.
  private final long now = Long.sum(Long.MAX_VALUE, -50);

  private final FailureDetector detector = new FailureDetector(100);

  @Test
  void whoWasNeverConnectedIsSuspect() {
    assertThat(detector.isSuspect(now)).isTrue();
    assertThat(detector.isConnected(now)).isFalse();
  }

  @Test
  void whoOwesNothingMayBeSilentForEver() {
    assertThat(detector.isTrusted()).isFalse();
    detector.connected();
    assertThat(detector.isTrusted()).isTrue();
    assertThat(detector.isSuspect(now)).isFalse();
    assertThat(detector.isSuspect(now + 1_000_000)).isFalse();
  }

  @Test
  void silenceCountsFromTheFirstThingThatWasAsked() {
    detector.connected();
    detector.asked(now);
    detector.asked(now + 90);
    assertThat(detector.isSuspect(now + 100)).isFalse();
    assertThat(detector.isSuspect(now + 101)).isTrue();
    assertThat(detector.isConnected(now + 300)).isTrue();
    assertThat(detector.isConnected(now + 301)).isFalse();
    assertThat(detector.silentNanos(now + 101)).isEqualTo(101);
  }

  @Test
  void anyFrameReceivedClearsIt() {
    detector.connected();
    detector.asked(now);
    assertThat(detector.isTrusted()).isFalse();
    assertThat(detector.isSuspect(now + 200)).isTrue();
    detector.received();
    assertThat(detector.isTrusted()).isTrue();
    assertThat(detector.isSuspect(now + 200)).isFalse();
    assertThat(detector.silentNanos(now + 200)).isZero();
  }

  @Test
  void aLostConnectionIsSuspectUntilTheNextOneWhichOwesNothing() {
    detector.connected();
    detector.asked(now);
    detector.disconnected();
    assertThat(detector.isSuspect(now)).isTrue();
    detector.connected();
    assertThat(detector.isSuspect(now + 1_000)).isFalse();
  }
}
