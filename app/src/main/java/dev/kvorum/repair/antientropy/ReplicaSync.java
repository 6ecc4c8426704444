package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.repair.state.RecordCompleteness;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.SyncSource;
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
public final class ReplicaSync {
  private final BackgroundContext context;
  private final BooleanSupplier complete;
  private final PeerWatermarks watermarks;
  private final BackgroundRateLimiter rateLimiter;
  private final StreamReceiver receiver;
  private final TombstoneReaper reaper;
  private final MerkleTreeCache trees;
  private final SyncServer server;
  private final AntiEntropy schedule;

  /**
   * Anti-entropy that has not begun.
   *
   * @param complete whether this member has all of its slots
   * @param missedRemovals receives a peer that removed tombstones which this member never saw
   * @param offsetMillis how far clocks may be apart
   */
  public ReplicaSync(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      RecordCompleteness completeness,
      BooleanSupplier complete,
      Consumer<MemberId> missedRemovals,
      long offsetMillis) {
    this.context = context;
    this.complete = complete;
    this.watermarks = new PeerWatermarks(context, settings);
    this.rateLimiter =
        new BackgroundRateLimiter(
            context, settings.bytesPerSecondMax(), settings.latencyMax().toNanos());
    this.receiver = new StreamReceiver(context, watermarks::late);
    MismatchRepair.begin(context, settings.timeout(), receiver);
    this.reaper =
        new TombstoneReaper(context, settings, marks, watermarks, this::isQuiet, offsetMillis);
    this.trees = new MerkleTreeCache(context, settings, rateLimiter, watermarks, reaper);
    this.server =
        new SyncServer(
            context,
            settings,
            marks,
            rateLimiter,
            trees,
            watermarks,
            reaper,
            complete,
            completeness);
    this.schedule =
        new AntiEntropy(
            context,
            settings,
            marks,
            rateLimiter,
            trees,
            watermarks,
            reaper,
            receiver,
            missedRemovals);
  }

  /** Serves the sessions and rebuilds of other members. */
  public SyncSource source() {
    return server;
  }

  /** To be notified of each write at this member's own replica. */
  public WriteListener writeListener() {
    return watermarks;
  }

  public void start() {
    rateLimiter.start();
    schedule.start();
  }

  /** Begins sessions again, where nothing prevents it. */
  public void resume() {
    if (isQuiet()) {
      schedule.resume();
    }
  }

  /** Ends the session under way, and begins none. */
  public void pause() {
    schedule.pause();
    trees.forget();
    server.forget();
  }

  /** Nothing is compared while slots are missing or members change. */
  private boolean isQuiet() {
    return complete.getAsBoolean() && context.layouts().get().topology().phase() == Phase.STABLE;
  }

  /** Takes note of a member that copies from this one: nothing is removed without it. */
  public void contacted(MemberId member) {
    reaper.contacted(member);
  }

  /** Takes note of a new layout. */
  public void rested() {
    reaper.rested();
  }

  /** The receiver of streamed records. */
  public StreamReceiver receiver() {
    return receiver;
  }

  public BackgroundRateLimiter rateLimiter() {
    return rateLimiter;
  }

  /** The session under way; for any thread. */
  public @Nullable RepairSession current() {
    return schedule.current();
  }
}
