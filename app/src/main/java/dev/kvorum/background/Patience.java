package dev.kvorum.background;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * For how long an answer may be believed. A process that was stopped for hours finds old answers
 * waiting; what they tell may have been deleted, and the deletion forgotten, since.
 *
 * <p>Both clocks are watched: a machine that sleeps may stop the monotone one, an operator may turn
 * the other one back.
 */
public final class Patience {
  private final Ground ground;
  private final long deadlineNanos;
  private final long deadlineMillis;

  private Patience(Ground ground, Duration timeout) {
    this.ground = ground;
    this.deadlineNanos = ground.nanoTime().getAsLong() + timeout.toNanos();
    this.deadlineMillis = ground.wallMillis() + 2 * timeout.toMillis();
  }

  /**
   * Asks a member.
   *
   * @param answer given the reply, or {@link Refusal#TIMED_OUT} where it came too late, and how
   *     long it may be believed
   */
  public static void ask(
      Ground ground,
      MemberId to,
      ReplicaRequest request,
      Duration timeout,
      BiConsumer<ReplicaReply, Patience> answer) {
    Patience patience = new Patience(ground, timeout);
    ground
        .replicas()
        .ask(
            to,
            request,
            patience.deadlineNanos,
            reply ->
                answer.accept(
                    patience.isOver() ? new ReplicaReply.Failed(Refusal.TIMED_OUT) : reply,
                    patience));
  }

  public boolean isOver() {
    return deadlineNanos - ground.nanoTime().getAsLong() <= 0
        || ground.wallMillis() > deadlineMillis;
  }

  /** Waits for the store with this patience: it begins nothing after that. */
  public Waiter<Applied> waiter(Consumer<Applied> answer) {
    return new Waiter<>() {
      @Override
      public void answer(Applied applied) {
        answer.accept(applied);
      }

      @Override
      public boolean isWaiting() {
        return !isOver();
      }
    };
  }
}
