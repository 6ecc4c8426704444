package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.repair.state.RecordCompleteness;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.RepairSource;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One member's anti-entropy: the schedule of sessions, the trees that they compare, the removal of
 * tombstones, and the server for peers' sessions. Lives on one event loop, except for {@link
 * #current}.
 */
public final class ReplicaRepair {
  private final SessionContext session;
  private final RecordCompleteness completeness;
  private final RepairServer server;
  private final AntiEntropy schedule;

  /**
   * Anti-entropy that has not begun.
   *
   * @param handsOn whether peers that rebuild may copy this member's records
   * @param missedPurges called with a peer that removed tombstones which this member never received
   */
  public ReplicaRepair(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      RecordCompleteness completeness,
      BooleanSupplier handsOn,
      Consumer<MemberId> missedPurges) {
    this.completeness = completeness;
    PeerWatermarks watermarks = new PeerWatermarks(context, settings);
    BackgroundRateLimiter rateLimiter =
        new BackgroundRateLimiter(
            context,
            settings.bytesPerSecondMax(),
            settings.latencyMax().toNanos(),
            context.meters()::repairBytes);
    StreamReceiver receiver = new StreamReceiver(context, watermarks::late);
    MismatchRepair.begin(context, settings.timeout(), receiver);
    TombstonePurger purger =
        new TombstonePurger(context, settings, marks, watermarks, this::isQuiet);
    this.session =
        new SessionContext(
            context,
            settings,
            marks,
            rateLimiter,
            new MerkleTreeBuilder(context, settings, rateLimiter, watermarks, purger),
            watermarks,
            purger,
            receiver,
            new DroppedRecords(context.nanoTime(), settings.interval(), settings.droppedMax()));
    this.server = new RepairServer(session, completeness, handsOn);
    this.schedule = new AntiEntropy(session, missedPurges);
  }

  /** Serves the sessions and rebuilds of other members. */
  public RepairSource source() {
    return server;
  }

  /** To be notified of each write at this member's own replica. */
  public WriteListener writeListener() {
    return session.watermarks();
  }

  public void start() {
    session.rateLimiter().start();
    schedule.start();
  }

  /** Resumes sessions if this member is complete and no members change. */
  public void resume() {
    if (isQuiet()) {
      schedule.resume();
    }
  }

  /** Stops the current session and starts none. */
  public void pause() {
    schedule.pause();
    session.trees().clear();
    server.clear();
  }

  /** Nothing is compared while slots are missing or members change. */
  private boolean isQuiet() {
    return completeness.hasAll()
        && session.background().layouts().get().topology().phase() == Phase.STABLE;
  }

  /** Records contact by a member that copies from this one: no tombstone is removed without it. */
  public void contacted(MemberId member) {
    session.purger().contacted(member);
  }

  /** Restarts the grace period in which peers make contact: no sessions run during a change. */
  public void onLayoutChanged() {
    session.purger().onLayoutChanged();
  }

  /** The receiver of streamed records. */
  public StreamReceiver receiver() {
    return session.receiver();
  }

  public BackgroundRateLimiter rateLimiter() {
    return session.rateLimiter();
  }

  /** The current session; safe for any thread. */
  public @Nullable RepairSession current() {
    return schedule.current();
  }
}
