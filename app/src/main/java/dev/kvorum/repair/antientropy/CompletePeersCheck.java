package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Map;
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
   * Asks all at once. After a failure nobody is asked again for {@code retry-max}.
   *
   * @param done called on the loop with whether all have replied and are complete
   */
  void ask(List<MemberId> peers, Consumer<Boolean> done) {
    if (askAgainNanos - context.nanoTime().getAsLong() > 0) {
      done.accept(false);
      return;
    }
    StatusRound.ask(
        context,
        peers,
        marks.statusRequest(context.self()),
        statuses -> {
          boolean complete = areComplete(peers, statuses);
          if (!complete) {
            askAgainNanos = context.nanoTime().getAsLong() + settings.retryMax().toNanos();
          }
          done.accept(complete);
        });
  }

  private static boolean areComplete(List<MemberId> peers, Map<MemberId, Status> statuses) {
    return statuses.keySet().containsAll(peers)
        && statuses.values().stream()
            .noneMatch(status -> status.rebuilding() || status.salvaging());
  }
}
