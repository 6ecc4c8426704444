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
 * Dependencies of background work.
 *
 * @param layouts gives the current layout
 * @param replication copies of a record whose writer did not set a number
 * @param peers gives the other members
 * @param loop event loop of all background work
 * @param nanoTime a monotone clock, in nanoseconds
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
    LongSupplier nanoTime,
    Meters meters) {
  private static final long RETRY_MILLIS = 100;

  public MemberId self() {
    return replicas.self();
  }

  /** This machine's wall clock, Unix milliseconds, however wrong. */
  public long wallMillis() {
    return clock.wallMillis();
  }

  /**
   * The time that a majority of the members' clocks have reached, Unix milliseconds; empty while
   * too few of them are known.
   */
  public OptionalLong majorityMillis() {
    return peerClocks.majorityMillis();
  }

  /** The same, or this machine's wall clock while it is not known. */
  public long likelyMillis() {
    return majorityMillis().orElseGet(this::wallMillis);
  }

  /**
   * The majority's time, by which old data may be removed; also empty while this node's own clock
   * is suspended.
   */
  public OptionalLong trustedMillis() {
    return peerClocks.isSuspended() ? OptionalLong.empty() : majorityMillis();
  }

  /**
   * Does on this loop what was asked on another one, unless its caller has stopped waiting.
   *
   * @param asker where the answer is given
   * @param work receives the waiter to answer, on any thread
   */
  public void serve(
      Executor asker, Waiter<ReplicaReply> waiter, Consumer<Waiter<ReplicaReply>> work) {
    Waiter<ReplicaReply> there = reply -> asker.execute(() -> waiter.answer(reply));
    loop.execute(() -> {
      if (waiter.isWaiting()) {
        work.accept(there);
      } else {
        there.answer(new ReplicaReply.Failed(RejectReason.EXPIRED));
      }
    });
  }

  /**
   * Keeps a mark, again and again until it is durable.
   *
   * @param isOver whether it is wanted no more; then nothing follows
   * @param next run on this loop once it is
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
