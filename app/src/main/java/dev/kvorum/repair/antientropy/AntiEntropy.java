package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Version;
import dev.kvorum.repair.antientropy.RepairSession.End;
import dev.kvorum.repair.state.FutureMarkReset;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedule of pulls: from each other member once per interval, one pull at a time, and soon
 * after a member has come back. Lives on one event loop.
 *
 * <p>Intervals are counted from the epoch, not from a node's start, so that all members compare at
 * the same cuts and each builds its trees once for all of them.
 */
final class AntiEntropy {
  private static final Logger log = LoggerFactory.getLogger(AntiEntropy.class);
  private static final long RETRY_MIN_MILLIS = 1000;
  private static final long TICK_MILLIS = 100;
  private static final long WAIT_MAX_MILLIS = 30_000;

  /**
   * A node that paused for so long has let requests to it end without it, and missed no silence.
   */
  private static final long PAUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final FutureMarkReset futureMarks;
  private final BackgroundRateLimiter rateLimiter;
  private final MerkleTreeCache trees;
  private final PeerWatermarks watermarks;
  private final TombstoneReaper reaper;
  private final StreamReceiver receiver;
  private final DroppedRecords dropped;
  private final Consumer<MemberId> missedRemovals;
  private final Map<MemberId, PeerSchedule> schedules = new HashMap<>();
  private volatile @Nullable RepairSession current;
  private boolean running;
  private long tickedNanos;
  private int turn;
  private long resumedNanos;

  /**
   * A schedule that has not begun.
   *
   * @param missedRemovals notified of a member that removed tombstones which this one never saw
   */
  public AntiEntropy(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      BackgroundRateLimiter rateLimiter,
      MerkleTreeCache trees,
      PeerWatermarks watermarks,
      TombstoneReaper reaper,
      StreamReceiver receiver,
      Consumer<MemberId> missedRemovals) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.futureMarks = new FutureMarkReset(context, marks);
    this.rateLimiter = rateLimiter;
    this.trees = trees;
    this.watermarks = watermarks;
    this.reaper = reaper;
    this.receiver = receiver;
    this.missedRemovals = missedRemovals;
    this.dropped =
        new DroppedRecords(context.nanoTime(), settings.interval(), settings.droppedMax());
  }

  public void start() {
    context
        .loop()
        .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Pulls from now on. */
  public void resume() {
    running = true;
    resumedNanos = context.nanoTime().getAsLong();
    schedules.clear();
  }

  /** Pulls no more. */
  public void pause() {
    running = false;
    RepairSession pull = current;
    if (pull != null) {
      pull.stop();
      current = null;
    }
  }

  /** The pull under way; to be asked on any thread. */
  public @Nullable RepairSession current() {
    return current;
  }

  private void tick() {
    try {
      List<MemberId> peers = context.peers().get();
      boolean wasAway = hasPaused();
      peers.forEach(peer -> watch(peer, wasAway));
      // No cut by the own clock alone. A member whose clock is suspended goes by the others'.
      context.majorityMillis().ifPresent(now -> tick(now, peers));
    } catch (RuntimeException e) {
      // A task that throws is not run again, and with it repair would end.
      log.error("A tick of anti-entropy failed", e);
    }
  }

  private void tick(long nowMillis, List<MemberId> peers) {
    schedules.values().forEach(schedule -> schedule.noteReturn(nowMillis));
    forgetFuture(nowMillis);
    if (running) {
      futureMarks.correct(nowMillis);
      if (current == null) {
        advance(peers, nowMillis);
      }
    }
  }

  /** A member that is back has missed something, and so has this one. */
  private void watch(MemberId peer, boolean wasAway) {
    PeerSchedule schedule = schedules.computeIfAbsent(peer, member -> new PeerSchedule());
    boolean suspect = context.replicas().isSuspect(peer);
    if ((schedule.suspect || wasAway) && !suspect) {
      schedule.isBack = true;
      schedule.pauseMillis = 0;
    }
    schedule.suspect = suspect;
  }

  /** What a majority of clocks agreed on that were ahead holds nothing up once they are right. */
  private void forgetFuture(long nowMillis) {
    long newest = Version.stampOf(nowMillis + settings.settle().toMillis());
    watermarks.forgetBeyond(newest);
    if (trees.newestCut() > newest) {
      boolean wasRunning = running;
      pause();
      trees.forget();
      running = wasRunning;
    }
    schedules.values().forEach(schedule -> schedule.forgetFuture(nowMillis));
  }

  private boolean hasPaused() {
    long now = context.nanoTime().getAsLong();
    long stood = tickedNanos == 0 ? 0 : now - tickedNanos;
    tickedNanos = now;
    return stood > PAUSED_NANOS;
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(context.nanoTime().getAsLong() - nanos);
  }

  private void advance(List<MemberId> peers, long nowMillis) {
    long aligned = rounded(nowMillis, settings.interval().toMillis());
    for (int i = 0; i < peers.size(); i++) {
      MemberId peer = peers.get((turn + i) % peers.size());
      long cut = dueCut(peer, aligned, nowMillis);
      if (cut > 0 && !letsGoFirst(peer, aligned)) {
        turn = (turn + i + 1) % peers.size();
        begin(peer, cut);
        return;
      }
    }
    // Also without anybody to compare with there is something to tidy up.
    boolean settled = millisSince(resumedNanos) > settings.interval().toMillis() / 2;
    if (settled && !trees.isBuilding() && trees.newestCut() < Version.stampOf(aligned)) {
      trees.want(Version.stampOf(aligned));
    }
  }

  /** The newest cut on which members agree, in Unix milliseconds. */
  private long rounded(long nowMillis, long granularityMillis) {
    long settled = nowMillis - settings.settle().toMillis();
    return settled - Math.floorMod(settled, granularityMillis);
  }

  private long dueCut(MemberId peer, long alignedMillis, long nowMillis) {
    PeerSchedule schedule = schedules.computeIfAbsent(peer, member -> new PeerSchedule());
    boolean pauses =
        schedule.pauseMillis > 0 && millisSince(schedule.failedNanos) < schedule.pauseMillis;
    if (schedule.suspect || pauses) {
      return 0;
    }
    long fresh = rounded(nowMillis, settings.granularity().toMillis());
    if (schedule.wantedMillis > 0) {
      boolean newEnough = trees.newestCut() >= Version.stampOf(schedule.wantedMillis);
      long cut = newEnough ? trees.newestCut() : Version.stampOf(fresh);
      return newEnough || fresh >= schedule.wantedMillis ? cut : 0;
    }
    long aligned = Version.stampOf(alignedMillis);
    return aligned > marks.pulled(peer) ? Math.max(aligned, trees.newestCut()) : 0;
  }

  /**
   * Of two members, the one whose name comes first pulls first: what it fetches the other one does
   * not have to look for. It is not waited for long.
   */
  private boolean letsGoFirst(MemberId peer, long alignedMillis) {
    PeerSchedule schedule = schedules.computeIfAbsent(peer, member -> new PeerSchedule());
    long wanted = schedule.wantedMillis > 0 ? schedule.wantedMillis : alignedMillis;
    if (context.self().compareTo(peer) < 0 || marks.pulledBy(peer) >= Version.stampOf(wanted)) {
      schedule.isWaiting = false;
      return false;
    }
    if (!schedule.isWaiting) {
      schedule.isWaiting = true;
      schedule.waitingSinceNanos = context.nanoTime().getAsLong();
    }
    return millisSince(schedule.waitingSinceNanos)
        < Math.min(WAIT_MAX_MILLIS, settings.interval().toMillis() / 4);
  }

  private void begin(MemberId peer, long cut) {
    RepairSession pull =
        new RepairSession(
            context,
            settings,
            marks,
            rateLimiter,
            trees,
            reaper,
            receiver,
            dropped,
            peer,
            end -> ended(peer, end));
    current = pull;
    pull.start(cut);
  }

  private void ended(MemberId peer, End end) {
    current = null;
    PeerSchedule schedule = schedules.computeIfAbsent(peer, member -> new PeerSchedule());
    switch (end) {
      case End.Completed completed -> {
        context.meters().repairSession(true);
        schedule.noteCompleted(completed.cut());
      }
      case End.Failed failed -> {
        context.meters().repairSession(false);
        log.debug("Repair session with {} failed: {}", peer, failed.reason());
        schedule.failedNanos = context.nanoTime().getAsLong();
        schedule.pauseMillis =
            Math.clamp(2 * schedule.pauseMillis, RETRY_MIN_MILLIS, settings.retryMax().toMillis());
      }
      case End.MissedRemovals missed -> {
        context.meters().repairSession(false);
        missedRemovals.accept(peer);
      }
    }
  }
}
