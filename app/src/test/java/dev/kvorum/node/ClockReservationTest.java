package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClockReservationTest {
  private static final Duration OFFSET_MAX = Duration.ofMillis(500);
  private static final Duration RESERVE = Duration.ofMillis(1500);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration MONTH = Duration.ofDays(31);
  private static final MemberId B = new MemberId("b");
  private static final MemberId C = new MemberId("c");

  private final VirtualLoop loop = new VirtualLoop();
  private final FailingMarks marks = new FailingMarks();
  private final long markBefore = loop.wallClock(0).millis() - 60_000;
  private Duration skew = Duration.ZERO;
  private Duration reserve = RESERVE;
  private BooleanSupplier isStoreFailed = () -> false;
  private HybridLogicalClock clock = new HybridLogicalClock(Instant::now, OFFSET_MAX, 1, 0);

  /** A store that throws at the next mark, or rejects all, if it is told to. */
  private static final class FailingMarks extends MemoryStore {
    private boolean throwsNext;
    private @Nullable RejectReason rejection;

    @Override
    public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
      if (throwsNext) {
        throwsNext = false;
        throw new IllegalStateException("no memory");
      }
      if (rejection != null) {
        waiter.reply(new WriteResult.Rejected(rejection));
        return;
      }
      super.keepMark(name, number, loop, waiter);
    }
  }

  private RemoteClockMonitor start(List<MemberId> peers) {
    marks.keepMark(MarkStore.CLOCK_HIGH_WATER, markBefore, Runnable::run, applied -> {});
    clock =
        new HybridLogicalClock(
            () -> loop.wallClock(skew.toMillis()).instant(), OFFSET_MAX, 1, markBefore);
    RemoteClockMonitor peerClocks =
        new RemoteClockMonitor(clock, OFFSET_MAX, loop::nanoTime, () -> peers);
    ClockReservation reservation = new ClockReservation(clock, peerClocks, marks, reserve);
    isStoreFailed = reservation::isStoreFailed;
    reservation.reserve();
    reservation.start(loop, loop::nanoTime, TIMEOUT, () -> false);
    loop.runReady();
    return peerClocks;
  }

  private void reportTheTime(RemoteClockMonitor peerClocks) {
    for (MemberId peer : List.of(B, C)) {
      peerClocks.onReading(peer, peerClocks.ask(), loop.wallClock(0).millis(), TIMEOUT);
    }
  }

  private long mark() {
    return marks.mark(MarkStore.CLOCK_HIGH_WATER);
  }

  @Test
  void aNodeAloneReservesAtOnce() {
    start(List.of());
    assertThat(mark()).isEqualTo(loop.wallClock(0).millis() + RESERVE.toMillis());
    assertThat(clock.next()).isNotNull();
  }

  @Test
  void aStartWithAClockThatIsAheadDoesNotMoveTheMark() {
    skew = MONTH;
    RemoteClockMonitor peerClocks = start(List.of(B, C));
    assertThat(mark()).isEqualTo(markBefore);
    assertNoVersion(RejectReason.CLOCK_NOT_READY);
    reportTheTime(peerClocks);
    loop.advance(Duration.ofMinutes(1));
    assertThat(mark()).as("the others say that it is ahead").isEqualTo(markBefore);
    assertNoVersion(RejectReason.CLOCK_AHEAD);

    skew = Duration.ZERO;
    reportTheTime(peerClocks);
    loop.advance(Duration.ofSeconds(1));
    assertThat(clock.next()).as("it is right again").isNotNull();
    assertThat(mark()).isLessThan(loop.wallClock(0).millis() + 2 * RESERVE.toMillis());
  }

  @Test
  void aRightClockIsUsedAsSoonAsAMajorityIsKnown() {
    RemoteClockMonitor peerClocks = start(List.of(B, C));
    assertNoVersion(RejectReason.CLOCK_NOT_READY);
    reportTheTime(peerClocks);
    loop.advance(Duration.ofMillis(20));
    assertThat(clock.next()).isNotNull();
  }

  @Test
  void goesOnWhenTheMajorityIsUnknownAgain() {
    startAndLoseTheMajority();
    for (int second = 0; second < 60; second++) {
      loop.advance(Duration.ofSeconds(1));
      assertThat(clock.next()).as("after %s s", second).isNotNull();
      assertThat(Version.millisOf(clock.newestStamp()))
          .as("the next start begins above it")
          .isLessThan(mark());
    }
  }

  @Test
  void aJumpAfterTheMajorityWasLostDoesNotMoveTheMark() {
    startAndLoseTheMajority();
    long before = mark();
    skew = MONTH;
    loop.advance(Duration.ofMinutes(1));
    assertThat(mark()).isEqualTo(before);
    assertNoVersion(RejectReason.CLOCK_AHEAD);
  }

  @Test
  void goesOnAfterARenewalThatThrows() {
    start(List.of());
    marks.throwsNext = true;
    assertThatThrownBy(() -> loop.advance(RESERVE)).hasMessage("no memory");
    loop.advance(RESERVE.multipliedBy(2));
    assertThat(clock.next()).isNotNull();
  }

  @Test
  void aStoreCountsAsFailedUntilItHasStoredTheMarkAgain() {
    start(List.of());
    marks.rejection = RejectReason.STORAGE_FAILED;
    loop.advance(RESERVE.multipliedBy(2));
    marks.rejection = null;
    assertThat(isStoreFailed.getAsBoolean()).isTrue();
    assertNoVersion(RejectReason.CLOCK_NOT_READY);
    loop.advance(Duration.ofMillis(500));
    assertThat(isStoreFailed.getAsBoolean()).isFalse();
    assertThat(clock.next()).isNotNull();
  }

  @Test
  void storesAMarkOfALongTimeSoonAfterAFailure() {
    reserve = Duration.ofMinutes(5);
    start(List.of());
    marks.rejection = RejectReason.STORAGE_FAILED;
    loop.advance(reserve);
    marks.rejection = RejectReason.OVERLOADED;
    loop.advance(Duration.ofSeconds(1));
    assertThat(isStoreFailed.getAsBoolean()).as("no mark is stored").isTrue();
    marks.rejection = null;
    loop.advance(Duration.ofMillis(500));
    assertThat(isStoreFailed.getAsBoolean()).isFalse();
  }

  @Test
  void aStoreThatIsOverloadedHasNotFailed() {
    start(List.of());
    marks.rejection = RejectReason.OVERLOADED;
    loop.advance(RESERVE);
    assertThat(isStoreFailed.getAsBoolean()).isFalse();
  }

  private void startAndLoseTheMajority() {
    RemoteClockMonitor peerClocks = start(List.of(B, C));
    reportTheTime(peerClocks);
    loop.advance(Duration.ofSeconds(10));
    assertThat(peerClocks.majorityMillis()).isEmpty();
  }

  private void assertNoVersion(RejectReason reason) {
    assertThat(clock.next()).isNull();
    assertThat(clock.whyNone()).isEqualTo(reason);
  }

  @Test
  void aNodeThatReachesNobodyUsesItsOwnClockAfterAWhile() {
    start(List.of(B, C));
    loop.advance(TIMEOUT.minusMillis(100));
    assertNoVersion(RejectReason.CLOCK_NOT_READY);
    loop.advance(Duration.ofMillis(200));
    assertThat(clock.next()).isNotNull();
  }
}
