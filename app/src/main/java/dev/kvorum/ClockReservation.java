package dev.kvorum;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.replica.PeerClocks;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.MarkStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the clock's high-water mark durable ahead of its use. The next start begins above the mark,
 * so a start with a wrong clock must not move it: the mark stays where it was until the clocks of a
 * majority are known, or for {@code patience} where they cannot be reached.
 */
final class ClockReservation {
  private static final Logger log = LoggerFactory.getLogger(ClockReservation.class);
  private static final long POLL_MILLIS = 20;

  private final HybridLogicalClock clock;
  private final PeerClocks peerClocks;
  private final MarkStore marks;
  private final Duration reserve;
  private volatile boolean patient = true;
  private volatile boolean settled;

  ClockReservation(
      HybridLogicalClock clock, PeerClocks peerClocks, MarkStore marks, Duration reserve) {
    this.clock = clock;
    this.peerClocks = peerClocks;
    this.marks = marks;
    this.reserve = reserve;
  }

  /**
   * Makes the next mark durable; versions can be given up to it once it is.
   *
   * @return fails when the store takes no writes
   */
  CompletableFuture<Void> reserve() {
    boolean known = peerClocks.majorityMillis().isPresent() || !patient;
    long mark = known ? clock.nextHighWaterMillis(reserve) : clock.highWaterMillis();
    CompletableFuture<Void> kept = new CompletableFuture<>();
    marks.keepMark(
        MarkStore.CLOCK_RESERVED,
        mark,
        Runnable::run,
        applied -> {
          if (applied instanceof Applied.Stored) {
            clock.reservedUpTo(mark);
            kept.complete(null);
          } else {
            log.warn("The clock's mark could not be stored: {}", applied);
            kept.completeExceptionally(
                new IllegalStateException("the store takes no writes: " + applied));
          }
        });
    return kept;
  }

  /**
   * Goes on reserving on this loop, for the first time once enough clocks are known.
   *
   * @param patience longest wait for them
   * @param isHopeless whether so many peers refuse connections that waiting is of no use
   */
  void start(
      ScheduledExecutorService loop,
      LongSupplier nanoTime,
      Duration patience,
      BooleanSupplier isHopeless) {
    long interval = reserve.toMillis() / 3;
    loop.scheduleWithFixedDelay(this::reserve, interval, interval, TimeUnit.MILLISECONDS);
    long deadlineNanos = nanoTime.getAsLong() + patience.toNanos();
    BooleanSupplier isOver =
        () -> nanoTime.getAsLong() - deadlineNanos >= 0 || isHopeless.getAsBoolean();
    loop.execute(() -> reserveOnceKnown(loop, isOver));
  }

  private void reserveOnceKnown(ScheduledExecutorService loop, BooleanSupplier isOver) {
    patient = !isOver.getAsBoolean();
    if (patient && peerClocks.majorityMillis().isEmpty()) {
      loop.schedule(() -> reserveOnceKnown(loop, isOver), POLL_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      reserve().whenComplete((done, failure) -> settled = true);
    }
  }

  /** Whether the first mark of this start is durable, or was tried to be. */
  boolean isSettled() {
    return settled;
  }
}
