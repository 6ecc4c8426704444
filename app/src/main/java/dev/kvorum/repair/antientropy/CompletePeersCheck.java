package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks peers whether they have all their records, before a tombstone is removed without a member
 * that is away: that member then has to reset its store, which may hold the last copy of what one
 * of these has lost (ADR 0009). Lives on one event loop.
 */
final class CompletePeersCheck {
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private long askAgainNanos;

  CompletePeersCheck(BackgroundContext context, RepairSettings settings, RepairMarks marks) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.askAgainNanos = context.nanoTime().getAsLong();
  }

  /**
   * Asks one after the other. After a failure nobody is asked again for {@code retry-max}.
   *
   * @param done run on the loop: whether all have replied, and are complete
   */
  void ask(List<MemberId> peers, Consumer<Boolean> done) {
    if (askAgainNanos - context.nanoTime().getAsLong() > 0) {
      done.accept(false);
    } else {
      askFrom(0, peers, done);
    }
  }

  private void askFrom(int next, List<MemberId> peers, Consumer<Boolean> done) {
    if (next == peers.size()) {
      done.accept(true);
      return;
    }
    ReplyDeadline.ask(
        context,
        peers.get(next),
        marks.statusRequest(context.self()),
        settings.timeout(),
        (reply, replyDeadline) -> {
          if (isComplete(reply)) {
            askFrom(next + 1, peers, done);
          } else {
            askAgainNanos = context.nanoTime().getAsLong() + settings.retryMax().toNanos();
            done.accept(false);
          }
        });
  }

  private static boolean isComplete(ReplicaReply reply) {
    return reply instanceof SyncReply.Status status && !status.rebuilding() && !status.salvaging();
  }
}
