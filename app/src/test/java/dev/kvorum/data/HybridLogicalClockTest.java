package dev.kvorum.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HybridLogicalClockTest {
  private static final Duration MAX_OFFSET = Duration.ofMillis(500);

  private final AtomicLong wall = new AtomicLong(1_000_000);
  private final InstantSource wallClock = () -> Instant.ofEpochMilli(wall.get());

  private HybridLogicalClock clock(long highWaterMillis) {
    return new HybridLogicalClock(wallClock, MAX_OFFSET, 7, highWaterMillis);
  }

  private static Version next(HybridLogicalClock clock) {
    return Objects.requireNonNull(clock.next(), "the clock gave no version");
  }

  @Test
  void givesNothingBeforeAMarkIsDurable() {
    HybridLogicalClock clock = clock(0);
    assertThat(clock.next()).isNull();
    assertThat(clock.whyNone()).isEqualTo(RejectReason.CLOCK_NOT_READY);

    clock.reservedUpTo(clock.nextHighWaterMillis(Duration.ofSeconds(3)));
    assertThat(next(clock).millis()).isEqualTo(1_000_000);
  }

  @Test
  void growsWhileTheWallClockIsStopped() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    Version last = Version.NONE;
    for (int i = 0; i < 200_000; i++) {
      Version next = next(clock);
      assertThat(next.isNewerThan(last)).isTrue();
      last = next;
    }
    assertThat(last.writer()).isEqualTo(7);
  }

  @Test
  void followsTheWallClock() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    next(clock);
    wall.set(1_000_300);
    assertThat(next(clock)).isEqualTo(new Version(1_000_300L << 16, 7));
  }

  @Test
  void neverRunsFurtherAheadThanTheMaximumOffset() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    assertThat(clock.observe(new Version((1_000_500L << 16) + 65_534, 1))).isTrue();

    assertThat(next(clock).millis()).isEqualTo(1_000_500);
    assertThat(clock.next()).isNull();
    assertThat(clock.whyNone()).isEqualTo(RejectReason.CLOCK_AHEAD);
    wall.addAndGet(1);
    assertThat(next(clock).millis()).isEqualTo(1_000_501);
  }

  @Test
  void neverPassesTheHighWaterMark() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(1_000_002);
    assertThat(next(clock).millis()).isEqualTo(1_000_000);
    wall.set(1_000_001);
    assertThat(next(clock).millis()).isEqualTo(1_000_001);
    wall.set(1_000_002);
    assertThat(clock.next()).isNull();
    clock.reservedUpTo(1_000_003);
    assertThat(next(clock).millis()).isEqualTo(1_000_002);
  }

  @Test
  void givesNothingAfterARestartBeforeTheMarkMoves() {
    HybridLogicalClock before = clock(0);
    before.reservedUpTo(1_000_400);
    wall.set(1_000_400);
    assertThat(before.next()).isNull();

    for (long millis : List.of(1_000_400L, 1_000_300L)) {
      wall.set(millis);
      HybridLogicalClock after = clock(1_000_400);
      assertThat(after.next()).as("may have been given before, at %d", millis).isNull();
      assertThat(after.whyNone()).isEqualTo(RejectReason.CLOCK_NOT_READY);
    }
  }

  @Test
  void continuesAfterTheMarkWhenTheWallClockWentBack() {
    HybridLogicalClock before = clock(0);
    before.reservedUpTo(1_000_400);
    Version last = next(before);

    wall.set(999_950);
    HybridLogicalClock after = clock(1_000_400);
    after.reservedUpTo(after.nextHighWaterMillis(Duration.ofSeconds(1)));
    assertThat(next(after).isNewerThan(last)).isTrue();

    wall.set(900_000);
    HybridLogicalClock farBack = clock(1_000_400);
    farBack.reservedUpTo(farBack.nextHighWaterMillis(Duration.ofSeconds(1)));
    assertThat(farBack.next()).as("would be ahead of the wall clock").isNull();
  }

  @Test
  void movesPastWhatItObservesUnlessThatIsTooFarAhead() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    Version met = new Version((1_000_200L << 16) + 9, 3);
    assertThat(clock.observe(met)).isTrue();
    assertThat(next(clock).isNewerThan(met)).isTrue();

    Version broken = new Version(1_000_501L << 16, 3);
    assertThat(clock.isTooFarAhead(broken)).isTrue();
    assertThat(clock.observe(broken)).isFalse();
    assertThat(next(clock).millis()).isEqualTo(1_000_200);
  }

  @Test
  void doesNotGoBackForAnOlderVersion() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    Version last = next(clock);
    assertThat(clock.observe(new Version(5, 5))).isTrue();
    assertThat(next(clock).isNewerThan(last)).isTrue();
  }

  @Test
  void marksOnlyGrow() {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    clock.reservedUpTo(5);
    assertThat(clock.next()).isNotNull();
    assertThat(clock.nextHighWaterMillis(Duration.ZERO)).isEqualTo(2_000_000);
  }

  @Test
  void isMonotoneUnderManyThreads() throws Exception {
    HybridLogicalClock clock = clock(0);
    clock.reservedUpTo(2_000_000);
    Callable<List<Version>> taker =
        () -> {
          List<Version> mine = new ArrayList<>();
          for (int i = 0; i < 5_000; i++) {
            mine.add(next(clock));
          }
          return mine;
        };
    Set<Version> all = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<List<Version>> taken : threads.invokeAll(List.of(taker, taker, taker, taker))) {
        assertThat(taken.get()).isSorted();
        all.addAll(taken.get());
      }
    }
    assertThat(all).hasSize(20_000);
  }
}
