package dev.kvorum.node;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.RejectReason;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.WriteResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the clock's high-water mark durable in advance. The next start begins above the mark, so a
 * start with a wrong clock must not move it. The mark does not move until the clocks of a majority
 * are known, or for at most {@code waitMax} if they cannot be reached. From then on it moves
 * whatever becomes of that majority, as the peers' last readings still limit the clock.
 */
final class ClockReservation {
  private static final Logger log = LoggerFactory.getLogger(ClockReservation.class);
  private static final long POLL_MILLIS = 20;

  /** Longest pause after a failure of the store: the node is not ready before the next mark. */
  private static final long RETRY_MAX_MILLIS = 500;

  private static final WriteResult STORE_FAILED =
      new WriteResult.Rejected(RejectReason.STORAGE_FAILED);

  private final HybridLogicalClock clock;
  private final RemoteClockMonitor peerClocks;
  private final MarkStore marks;
  private final Duration reserve;
  private volatile boolean waiting = true;
  private volatile boolean attempted;
  private volatile boolean storeFailed;

  ClockReservation(
      HybridLogicalClock clock, RemoteClockMonitor peerClocks, MarkStore marks, Duration reserve) {
    this.clock = clock;
    this.peerClocks = peerClocks;
    this.marks = marks;
    this.reserve = reserve;
  }

  /**
   * Makes the next mark durable; the clock may then issue versions below it.
   *
   * @return fails if the store rejects writes
   */
  CompletableFuture<Void> reserve() {
    boolean known = !waiting || peerClocks.majorityMillis().isPresent();
    long mark = known ? clock.nextHighWaterMillis(reserve) : clock.highWaterMillis();
    CompletableFuture<Void> kept = new CompletableFuture<>();
    marks.keepMark(
        MarkStore.CLOCK_HIGH_WATER,
        mark,
        Runnable::run,
        applied -> {
          if (applied instanceof WriteResult.Stored) {
            clock.reservedUpTo(mark);
            storeFailed = false;
            kept.complete(null);
          } else {
            storeFailed = storeFailed || STORE_FAILED.equals(applied);
            log.warn("Could not store the high-water mark of the clock: {}", applied);
            kept.completeExceptionally(
                new IllegalStateException("the store rejects writes: " + applied));
          }
        });
    return kept;
  }

  /**
   * Renews the mark periodically on this loop. The first renewal waits until enough clocks are
   * known.
   *
   * @param waitMax longest wait for them
   * @param isHopeless returns whether so many peers reject connections that waiting is useless
   */
  void start(
      ScheduledExecutorService loop,
      LongSupplier nanoTime,
      Duration waitMax,
      BooleanSupplier isHopeless) {
    renewLater(loop);
    long deadlineNanos = nanoTime.getAsLong() + waitMax.toNanos();
    BooleanSupplier isOver =
        () -> nanoTime.getAsLong() - deadlineNanos >= 0 || isHopeless.getAsBoolean();
    loop.execute(() -> reserveOnceKnown(loop, isOver));
  }

  private void renewLater(ScheduledExecutorService loop) {
    long interval = reserve.toMillis() / 3;
    long pause = storeFailed ? Math.min(RETRY_MAX_MILLIS, interval) : interval;
    Runnable renewal =
        () -> {
          renewLater(loop);
          // Apart: nobody would learn of what a scheduled task throws.
          loop.execute(this::reserve);
        };
    loop.schedule(renewal, pause, TimeUnit.MILLISECONDS);
  }

  private void reserveOnceKnown(ScheduledExecutorService loop, BooleanSupplier isOver) {
    if (!isOver.getAsBoolean() && peerClocks.majorityMillis().isEmpty()) {
      loop.schedule(() -> reserveOnceKnown(loop, isOver), POLL_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      stopWaiting();
      reserve().whenComplete((done, failure) -> attempted = true);
    }
  }

  /** For good: a node that loses its majority later must still give versions. */
  private void stopWaiting() {
    waiting = false;
  }

  /**
   * Returns whether the store failed and no mark was stored since: the clock may have reached its
   * mark, and gives no versions then.
   */
  boolean isStoreFailed() {
    return storeFailed;
  }

  /** Returns whether the first mark of this start is durable, or the attempt has failed. */
  boolean wasAttempted() {
    return attempted;
  }
}
