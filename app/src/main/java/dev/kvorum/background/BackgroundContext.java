package dev.kvorum.background;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.RejectReason;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.Replicas;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What all background work shares.
 *
 * @param layouts supplies the current layout
 * @param peers supplies the other members
 * @param loop event loop on which the work runs
 * @param loopCheck returns whether the current thread is the loop's
 * @param nanoTime a monotonic clock in nanoseconds
 */
public record BackgroundContext(
    Supplier<Layout> layouts,
    int replication,
    Supplier<List<MemberId>> peers,
    Store store,
    MarkStore marks,
    Replicas replicas,
    HybridLogicalClock clock,
    RemoteClockMonitor peerClocks,
    ScheduledExecutorService loop,
    BooleanSupplier loopCheck,
    LongSupplier nanoTime,
    Meters meters) {
  private static final long RETRY_MILLIS = 100;

  public MemberId self() {
    return replicas.self();
  }

  /**
   * Whether the current thread is the loop's, for assertions: tests run with them, nodes do not.
   */
  public boolean isOnLoop() {
    return loopCheck.getAsBoolean();
  }

  /** This machine's uncorrected wall clock, in Unix milliseconds. */
  public long wallMillis() {
    return clock.wallMillis();
  }

  /**
   * The time that a majority of the members' clocks have reached, in Unix milliseconds. Empty while
   * too few clocks are known.
   */
  public OptionalLong majorityMillis() {
    return peerClocks.majorityMillis();
  }

  /** How far clocks may be apart, in milliseconds. */
  public long maxOffsetMillis() {
    return peerClocks.maxOffsetMillis();
  }

  /** The latest time that any known clock shows; a mark that is later is wrong. */
  public long latestMillis() {
    return peerClocks.latestMillis();
  }

  /** The majority time, or this machine's wall clock while the majority time is unknown. */
  public long likelyMillis() {
    return majorityMillis().orElseGet(this::wallMillis);
  }

  /**
   * The majority time for removing old data. Empty also while this node's own clock is suspended,
   * and while a backup is restored: a record that is restored later must find its tombstone.
   */
  public OptionalLong trustedMillis() {
    return peerClocks.isSuspended() || isRestoring() ? OptionalLong.empty() : majorityMillis();
  }

  /** Whether records of a backup that is being restored are missing. Safe for any thread. */
  public boolean isRestoring() {
    return marks.mark(MarkStore.RESTORING) != 0;
  }

  /**
   * Runs a request from another loop on this loop, unless its caller has stopped waiting.
   *
   * @param asker event loop for the reply
   * @param work receives the waiter, to which it may reply on any thread
   */
  public void serve(
      Executor asker, Waiter<ReplicaReply> waiter, Consumer<Waiter<ReplicaReply>> work) {
    Waiter<ReplicaReply> there = reply -> asker.execute(() -> waiter.reply(reply));
    loop.execute(() -> {
      if (waiter.isWaiting()) {
        work.accept(there);
      } else {
        there.reply(new ReplicaReply.Failed(RejectReason.EXPIRED));
      }
    });
  }

  /**
   * Stores a mark, with retries until it is durable.
   *
   * @param isOver returns whether the mark is no longer needed; {@code next} then does not run
   * @param next run on this loop once the mark is durable
   */
  public void keepMark(String mark, long number, BooleanSupplier isOver, Runnable next) {
    if (isOver.getAsBoolean()) {
      return;
    }
    marks.keepMark(
        mark,
        number,
        loop,
        applied -> {
          if (isOver.getAsBoolean()) {
            return;
          }
          if (applied instanceof WriteResult.Stored) {
            next.run();
          } else {
            loop.schedule(
                () -> keepMark(mark, number, isOver, next), RETRY_MILLIS, TimeUnit.MILLISECONDS);
          }
        });
  }
}
