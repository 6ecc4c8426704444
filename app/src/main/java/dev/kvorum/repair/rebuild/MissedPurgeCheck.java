package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.Attempts;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.MemberId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the peers of a member that was away for long whether they removed tombstones without it. The
 * member does not vote until all peers have replied, or for 10 s.
 *
 * <p>Peers that rebuild their stores may not copy its records, however long that takes, before all
 * peers have replied, or all but one that have their own records. A tombstone is only removed once
 * all other members have it, but for one that is away. So each of at least two other replicas has
 * it, or knows that it removed it without this member, unless it has lost its disk since.
 *
 * <p>Confined to one event loop, except for {@link #mayHandOn}.
 */
public final class MissedPurgeCheck {
  private static final Logger log = LoggerFactory.getLogger(MissedPurgeCheck.class);
  private static final long VOTELESS_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final long lastAliveMillis;
  private final Consumer<MemberId> missed;
  private final Attempts attempts;
  private final Set<MemberId> replied = new HashSet<>();

  // Those that have their own records.
  private final Set<MemberId> vouching = new HashSet<>();
  private Runnable mayVote = () -> {};
  private boolean votes;
  private long voteNanos;
  private long nextLogNanos;
  private OptionalLong passedNanos = OptionalLong.empty();
  private volatile boolean mayHandOn = true;

  /**
   * A check that has not started; create it before the clock is reserved, whose mark records when
   * this member was last alive.
   *
   * @param missed called with a peer that removed tombstones without this member
   */
  public MissedPurgeCheck(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      Consumer<MemberId> missed) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.lastAliveMillis = context.marks().mark(MarkStore.CLOCK_HIGH_WATER);
    this.missed = missed;
    this.attempts = new Attempts(context);
  }

  /**
   * Whether the check is due: this member was down for half a horizon, or has completed no session
   * with any peer for a full one; a short uptime in between repairs nothing. Marks in the future
   * make it due too: the clock was ahead then, or is behind now.
   */
  public boolean isDue() {
    return !context.peers().get().isEmpty()
        && (isOverdue() || (wasAwayLong() && !hasPassedLately()));
  }

  /**
   * Whether this member has completed neither a session with any peer nor this check for a full
   * horizon.
   */
  public boolean isOverdue() {
    long pulledMillis =
        Version.millisOf(
            context.peers().get().stream().mapToLong(marks::pulledUnchecked).max().orElse(0));
    long equalMillis = Math.max(pulledMillis, marks.get(RepairMarks.COMPLETE));
    return Math.abs(context.likelyMillis() - equalMillis) > settings.horizon().toMillis()
        && !hasPassedLately();
  }

  private boolean hasPassedLately() {
    long now = context.nanoTime().getAsLong();
    return passedNanos.isPresent() && now - passedNanos.getAsLong() < settings.horizon().toNanos();
  }

  /** Whether this member was down for half a horizon before it started. */
  public boolean wasAwayLong() {
    return Math.abs(context.likelyMillis() - lastAliveMillis) > settings.horizon().toMillis() / 2;
  }

  /** Whether peers may copy this member's records. Safe for any thread. */
  public boolean mayHandOn() {
    return mayHandOn;
  }

  /** Ends the check without a result. */
  public void stop() {
    assert context.isOnLoop();
    attempts.next();
    mayHandOn = true;
  }

  /**
   * Asks the peers until all have replied.
   *
   * @param vote called once this member may vote, unless a peer has removed tombstones without it
   */
  public void start(Runnable vote) {
    assert context.isOnLoop();
    log.info("This node was away for long: it asks its peers whether it missed purged tombstones");
    stop();
    replied.clear();
    vouching.clear();
    mayHandOn = false;
    mayVote = vote;
    votes = false;
    voteNanos = context.nanoTime().getAsLong() + VOTELESS_MAX_NANOS;
    nextLogNanos = voteNanos;
    ask();
  }

  private List<MemberId> without(Set<MemberId> known) {
    return context.peers().get().stream().filter(peer -> !known.contains(peer)).toList();
  }

  private void ask() {
    Consumer<Map<MemberId, Status>> onReplies = attempts.ofThis(this::on);
    StatusRound.ask(context, without(vouching), marks.statusRequest(context.self()), onReplies);
  }

  private void on(Map<MemberId, Status> statuses) {
    assert context.isOnLoop();
    for (Map.Entry<MemberId, Status> other : statuses.entrySet()) {
      if (other.getValue().hasPurgedSince(marks.pulledUnchecked(other.getKey()))) {
        stop();
        missed.accept(other.getKey());
        return;
      }
      replied.add(other.getKey());
      if (!other.getValue().rebuilding()) {
        vouching.add(other.getKey());
      }
    }
    long now = context.nanoTime().getAsLong();
    boolean haveAllReplied = without(replied).isEmpty();
    mayHandOn = haveAllReplied || without(vouching).size() <= 1;
    passedNanos = mayHandOn ? OptionalLong.of(now) : passedNanos;
    if (!votes && (haveAllReplied || now - voteNanos >= 0)) {
      votes = true;
      mayVote.run();
    }
    if (!mayHandOn || !votes) {
      attempts.later(this::ask);
    }
    if (!mayHandOn && now - nextLogNanos >= 0) {
      nextLogNanos = now + LOG_NANOS;
      log.warn(
          "Rebuilding peers may not copy records of this node until all but one of {} have replied:"
              + " it was away for long, and may have records that were deleted",
          without(vouching));
    }
  }
}
