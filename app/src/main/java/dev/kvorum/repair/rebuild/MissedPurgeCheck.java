package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks the peers of a member that was away for long whether they removed tombstones without it. The
 * member does not vote until all peers have replied, or for 10 s.
 */
public final class MissedPurgeCheck {
  private static final long RETRY_MILLIS = 1000;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BackgroundContext context;
  private final RepairMarks marks;
  private final Runnable none;
  private final Consumer<MemberId> missed;
  private final long deadlineNanos;
  private boolean over;

  /**
   * A check that has not started.
   *
   * @param none called when no reply reported removals without this member
   * @param missed called with a peer that removed tombstones without this member
   */
  public MissedPurgeCheck(
      BackgroundContext context, RepairMarks marks, Runnable none, Consumer<MemberId> missed) {
    this.context = context;
    this.marks = marks;
    this.none = none;
    this.missed = missed;
    this.deadlineNanos = context.nanoTime().getAsLong() + MAX_NANOS;
  }

  /**
   * Whether the check is due: this member was down for half a horizon, or has completed no session
   * with any peer for a full one; a short uptime in between repairs nothing. Marks in the future
   * make it due too: the clock was ahead then, or is behind now.
   */
  public static boolean isDue(
      BackgroundContext context, RepairSettings settings, RepairMarks marks, long lastAliveMillis) {
    return !context.peers().get().isEmpty()
        && (wasAwayLong(context, settings, lastAliveMillis) || isOverdue(context, settings, marks));
  }

  /** Whether this member has completed no session with any peer for a full horizon. */
  public static boolean isOverdue(
      BackgroundContext context, RepairSettings settings, RepairMarks marks) {
    long pulledMillis =
        Version.millisOf(
            context.peers().get().stream().mapToLong(marks::pulledOnce).max().orElse(0));
    long equalMillis = Math.max(pulledMillis, marks.get(RepairMarks.COMPLETE));
    return Math.abs(context.likelyMillis() - equalMillis) > settings.horizon().toMillis();
  }

  /** Whether this member was down for half a horizon before it started. */
  public static boolean wasAwayLong(
      BackgroundContext context, RepairSettings settings, long lastAliveMillis) {
    return Math.abs(context.likelyMillis() - lastAliveMillis) > settings.horizon().toMillis() / 2;
  }

  /** Ends the check without a result. */
  public void stop() {
    over = true;
  }

  public void start() {
    if (over) {
      return;
    }
    List<MemberId> peers = context.peers().get();
    StatusRound.ask(
        context,
        peers,
        marks.statusRequest(context.self()),
        statuses -> on(peers.size(), statuses));
  }

  private void on(int peers, Map<MemberId, Status> statuses) {
    if (over) {
      return;
    }
    MemberId ahead =
        statuses.entrySet().stream()
            .filter(other -> other.getValue().hasRemovedSince(marks.pulledOnce(other.getKey())))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
    if (ahead != null) {
      missed.accept(ahead);
    } else if (statuses.size() == peers || context.nanoTime().getAsLong() - deadlineNanos >= 0) {
      none.run();
    } else {
      context.loop().schedule(this::start, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
