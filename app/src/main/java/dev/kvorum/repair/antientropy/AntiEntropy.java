package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
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
 * Schedules repair sessions: one at a time, with each peer once per interval, and soon after a peer
 * has returned. Confined to one event loop.
 *
 * <p>Intervals are counted from the Unix epoch, not from a node's start: all members then compare
 * at the same cuts, and each builds its trees once for all sessions.
 */
final class AntiEntropy {
  private static final Logger log = LoggerFactory.getLogger(AntiEntropy.class);
  private static final long RETRY_MIN_MILLIS = 1000;
  private static final long TICK_MILLIS = 100;
  private static final long WAIT_MAX_MILLIS = 30_000;

  /**
   * Pause of this process after which all peers count as returned: requests to it have timed out,
   * while its own failure detector saw no silence.
   */
  private static final long PAUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SessionContext session;
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final MerkleTreeBuilder trees;
  private final FutureMarkReset futureMarks;
  private final Consumer<MemberId> missedPurges;
  private final Map<MemberId, PeerSchedule> schedules = new HashMap<>();
  private volatile @Nullable RepairSession current;
  private boolean running;
  private long tickedNanos;
  private int turn;
  private long resumedNanos;

  /** When the next session with one peer runs. */
  private static final class PeerSchedule {
    boolean suspect = true;

    /** The peer has returned, at a time that is not known yet: there was no majority of clocks. */
    boolean isBack;

    /**
     * Unix milliseconds of a return that no session has covered yet; 0 if there is none. Later
     * returns do not change it: a peer that comes and goes must not postpone its session forever.
     */
    long wantedMillis;

    long failedNanos;

    /** Pause after the last failure; 0 if there was none. */
    long pauseMillis;

    /** Whether this member waits for the peer's session, and since when. */
    boolean isWaiting;

    long waitingSinceNanos;

    /** Time of the last return; a session's cut has to be as new. */
    private long backMillis;

    void noteReturn(long nowMillis) {
      if (isBack) {
        isBack = false;
        backMillis = nowMillis;
        wantedMillis = wantedMillis == 0 ? nowMillis : wantedMillis;
      }
    }

    void noteCompleted(long cut) {
      pauseMillis = 0;
      isWaiting = false;
      if (cut >= Version.stampOf(wantedMillis)) {
        wantedMillis = cut >= Version.stampOf(backMillis) ? 0 : backMillis;
      }
    }

    /** Corrects times from clocks that were ahead. */
    void dropFuture(long nowMillis) {
      backMillis = Math.min(backMillis, nowMillis);
      wantedMillis = Math.min(wantedMillis, nowMillis);
    }
  }

  /**
   * A schedule that has not begun.
   *
   * @param missedPurges called with a peer that removed tombstones which this member never received
   */
  AntiEntropy(SessionContext session, Consumer<MemberId> missedPurges) {
    this.session = session;
    this.context = session.background();
    this.settings = session.settings();
    this.marks = session.marks();
    this.trees = session.trees();
    this.futureMarks = new FutureMarkReset(context, marks);
    this.missedPurges = missedPurges;
  }

  public void start() {
    context
        .loop()
        .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Starts sessions from now on. */
  public void resume() {
    assert context.isOnLoop();
    running = true;
    resumedNanos = context.nanoTime().getAsLong();
    schedules.clear();
  }

  /** Stops the current session and starts none. */
  public void pause() {
    assert context.isOnLoop();
    running = false;
    RepairSession stopped = current;
    if (stopped != null) {
      stopped.stop();
      current = null;
    }
  }

  /** The current session; safe for any thread. */
  public @Nullable RepairSession current() {
    return current;
  }

  private void tick() {
    try {
      List<MemberId> peers = context.peers().get();
      boolean wasAway = hasPaused();
      peers.forEach(peer -> watch(peer, wasAway));
      // Cuts follow the majority's clock, never the own clock alone.
      context.majorityMillis().ifPresent(now -> tick(now, peers));
    } catch (RuntimeException | Error e) {
      // A periodic task that throws is cancelled: repair would end.
      log.error("A tick of anti-entropy failed", e);
    }
  }

  private void tick(long nowMillis, List<MemberId> peers) {
    schedules.values().forEach(schedule -> schedule.noteReturn(nowMillis));
    dropFuture(nowMillis);
    if (running) {
      futureMarks.correct(nowMillis);
      if (current == null) {
        advance(peers, nowMillis);
      }
    }
  }

  /** After a peer has returned, both it and this member may have missed writes. */
  private void watch(MemberId peer, boolean wasAway) {
    PeerSchedule schedule = schedules.computeIfAbsent(peer, member -> new PeerSchedule());
    boolean suspect = context.replicas().isSuspect(peer);
    if ((schedule.suspect || wasAway) && !suspect) {
      schedule.isBack = true;
      schedule.pauseMillis = 0;
    }
    schedule.suspect = suspect;
  }

  /** Discards cuts and times from when a majority of the clocks ran ahead. */
  private void dropFuture(long nowMillis) {
    long newest = Version.stampOf(nowMillis + settings.settle().toMillis());
    session.watermarks().removeBeyond(newest);
    if (trees.newestCut() > newest) {
      boolean wasRunning = running;
      pause();
      trees.clear();
      running = wasRunning;
    }
    schedules.values().forEach(schedule -> schedule.dropFuture(nowMillis));
  }

  private boolean hasPaused() {
    long now = context.nanoTime().getAsLong();
    long pausedNanos = tickedNanos == 0 ? 0 : now - tickedNanos;
    tickedNanos = now;
    return pausedNanos > PAUSED_NANOS;
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(context.nanoTime().getAsLong() - nanos);
  }

  private void advance(List<MemberId> peers, long nowMillis) {
    long aligned = rounded(nowMillis, settings.interval().toMillis());
    for (int i = 0; i < peers.size(); i++) {
      MemberId peer = peers.get((turn + i) % peers.size());
      long cut = dueCut(peer, aligned, nowMillis);
      if (cut > 0 && !waitsForPeer(peer, aligned)) {
        turn = (turn + i + 1) % peers.size();
        begin(peer, cut);
        return;
      }
    }
    // Building trees also expires records and removes tombstones, which is due without peers too.
    boolean longResumed = millisSince(resumedNanos) > settings.interval().toMillis() / 2;
    if (longResumed && !trees.isBuilding() && trees.newestCut() < Version.stampOf(aligned)) {
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
   * Whether to wait for the peer's session with this member. Of two members, the one with the lower
   * name goes first: the records that it fetches are no difference for the other. The wait is
   * bounded.
   */
  private boolean waitsForPeer(MemberId peer, long alignedMillis) {
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
    RepairSession started = new RepairSession(session, peer, end -> ended(peer, end));
    current = started;
    started.start(cut);
  }

  private void ended(MemberId peer, End end) {
    assert context.isOnLoop();
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
      case End.MissedPurges missed -> {
        context.meters().repairSession(false);
        missedPurges.accept(peer);
      }
    }
  }
}
