package dev.kvorum.background;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Limits how long a reply may be used. A process that was paused for hours finds old replies
 * waiting. Their records may have been deleted since, and the tombstones purged.
 *
 * <p>Both clocks are checked: the monotonic clock may stop while a machine sleeps, and an operator
 * may set back the wall clock.
 */
public final class ReplyDeadline {
  private final BackgroundContext context;
  private final long deadlineNanos;
  private final long deadlineMillis;

  private ReplyDeadline(BackgroundContext context, Duration timeout) {
    this.context = context;
    this.deadlineNanos = context.nanoTime().getAsLong() + timeout.toNanos();
    this.deadlineMillis = context.wallMillis() + 2 * timeout.toMillis();
  }

  /**
   * Sends a request to a member.
   *
   * @param done receives the reply, or {@link RejectReason#TIMED_OUT} if it came too late, and the
   *     deadline for using it
   */
  public static void ask(
      BackgroundContext context,
      MemberId to,
      ReplicaRequest request,
      Duration timeout,
      BiConsumer<ReplicaReply, ReplyDeadline> done) {
    ReplyDeadline replyDeadline = new ReplyDeadline(context, timeout);
    context
        .replicas()
        .ask(
            to,
            request,
            replyDeadline.deadlineNanos,
            reply ->
                done.accept(
                    replyDeadline.isOver()
                        ? new ReplicaReply.Failed(RejectReason.TIMED_OUT)
                        : reply,
                    replyDeadline));
  }

  public boolean isOver() {
    return deadlineNanos - context.nanoTime().getAsLong() <= 0
        || context.wallMillis() > deadlineMillis;
  }

  /** A waiter for the store with this deadline, after which the store begins no work. */
  public Waiter<WriteResult> waiter(Consumer<WriteResult> done) {
    return new Waiter<>() {
      @Override
      public void reply(WriteResult applied) {
        done.accept(applied);
      }

      @Override
      public boolean isWaiting() {
        return !isOver();
      }
    };
  }
}
