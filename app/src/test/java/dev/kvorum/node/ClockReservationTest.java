package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockReservationTest {
  private static final Duration OFFSET_MAX = Duration.ofMillis(500);
  private static final Duration RESERVE = Duration.ofMillis(1500);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration MONTH = Duration.ofDays(31);
  private static final MemberId B = new MemberId("b");
  private static final MemberId C = new MemberId("c");

  private final VirtualLoop loop = new VirtualLoop();
  private final MemoryStore marks = new MemoryStore();
  private final long markBefore = loop.wallClock(0).millis() - 60_000;
  private Duration skew = Duration.ZERO;
  private HybridLogicalClock clock = new HybridLogicalClock(Instant::now, OFFSET_MAX, 1, 0);

  private RemoteClockMonitor start(List<MemberId> peers) {
    marks.keepMark(MarkStore.CLOCK_RESERVED, markBefore, Runnable::run, applied -> {});
    clock =
        new HybridLogicalClock(
            () -> loop.wallClock(skew.toMillis()).instant(), OFFSET_MAX, 1, markBefore);
    RemoteClockMonitor peerClocks =
        new RemoteClockMonitor(clock, OFFSET_MAX, loop::nanoTime, () -> peers);
    ClockReservation reservation = new ClockReservation(clock, peerClocks, marks, RESERVE);
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
    return marks.mark(MarkStore.CLOCK_RESERVED);
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
    assertThat(clock.next()).isNull();
    reportTheTime(peerClocks);
    loop.advance(Duration.ofMinutes(1));
    assertThat(mark()).as("the others say that it is ahead").isEqualTo(markBefore);
    assertThat(clock.next()).isNull();

    skew = Duration.ZERO;
    reportTheTime(peerClocks);
    loop.advance(Duration.ofSeconds(1));
    assertThat(clock.next()).as("it is right again").isNotNull();
    assertThat(mark()).isLessThan(loop.wallClock(0).millis() + 2 * RESERVE.toMillis());
  }

  @Test
  void aRightClockIsUsedAsSoonAsAMajorityIsKnown() {
    RemoteClockMonitor peerClocks = start(List.of(B, C));
    assertThat(clock.next()).isNull();
    reportTheTime(peerClocks);
    loop.advance(Duration.ofMillis(20));
    assertThat(clock.next()).isNotNull();
  }

  @Test
  void aNodeThatReachesNobodyGoesByItsOwnClockAfterAWhile() {
    start(List.of(B, C));
    loop.advance(TIMEOUT.minusMillis(100));
    assertThat(clock.next()).isNull();
    loop.advance(Duration.ofMillis(200));
    assertThat(clock.next()).isNotNull();
  }
}
