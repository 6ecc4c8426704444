package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.repair.Pull.End;
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
   * Whoever stood still for so long has let requests to it end without it, and heard no silence.
   */
  private static final long STOOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final FutureMarks futureMarks;
  private final Pace pace;
  private final Trees trees;
  private final Coverage coverage;
  private final TombstoneReaper reaper;
  private final Adoption adoption;
  private final Dropped dropped;
  private final Consumer<MemberId> missedRemovals;
  private final Map<MemberId, Course> courses = new HashMap<>();
  private volatile @Nullable Pull current;
  private boolean running;
  private long tickedNanos;
  private int turn;
  private long resumedNanos;

  /** Where this member stands with another one. */
  private static final class Course {
    private boolean suspect = true;
    // It came back, and the time of that is not noted yet: nobody could tell what time it was.
    private boolean isBack;
    // Since when it has been back; a cut has to be as new as that.
    private long backMillis;
    // A return that no pull has answered yet, 0 when there is none. It may have come back since,
    // again: one that comes and goes must not put its pull off for ever.
    private long wantedMillis;
    private long failedNanos;
    // How long to wait since the last failure, 0 when there was none.
    private long pauseMillis;
    // Since when the other one has been let go first.
    private boolean isWaiting;
    private long waitingSinceNanos;
  }

  /**
   * A schedule that has not begun.
   *
   * @param missedRemovals told of a member that removed tombstones which this one never saw
   */
  AntiEntropy(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Pace pace,
      Trees trees,
      Coverage coverage,
      TombstoneReaper reaper,
      Adoption adoption,
      Consumer<MemberId> missedRemovals) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
    this.futureMarks = new FutureMarks(ground, marks);
    this.pace = pace;
    this.trees = trees;
    this.coverage = coverage;
    this.reaper = reaper;
    this.adoption = adoption;
    this.missedRemovals = missedRemovals;
    this.dropped = new Dropped(ground.nanoTime(), settings.interval(), settings.droppedMax());
  }

  void start() {
    ground
        .loop()
        .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Pulls from now on. */
  void resume() {
    running = true;
    resumedNanos = ground.nanoTime().getAsLong();
    courses.clear();
  }

  /** Pulls no more. */
  void pause() {
    running = false;
    Pull pull = current;
    if (pull != null) {
      pull.stop();
      current = null;
    }
  }

  /** The pull under way; to be asked on any thread. */
  @Nullable Pull current() {
    return current;
  }

  private void tick() {
    try {
      List<MemberId> peers = ground.peers().get();
      boolean wasAway = hasStoodStill();
      peers.forEach(peer -> watch(peer, wasAway));
      // No cut by the own clock alone. A member whose clock is suspended goes by the others'.
      ground.majorityMillis().ifPresent(now -> tick(now, peers));
    } catch (RuntimeException e) {
      // A task that throws is not run again, and with it repair would end.
      log.error("A tick of anti-entropy failed", e);
    }
  }

  private void tick(long nowMillis, List<MemberId> peers) {
    courses.values().forEach(course -> noteReturn(course, nowMillis));
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
    Course course = courses.computeIfAbsent(peer, member -> new Course());
    boolean suspect = ground.replicas().isSuspect(peer);
    if ((course.suspect || wasAway) && !suspect) {
      course.isBack = true;
      course.pauseMillis = 0;
    }
    course.suspect = suspect;
  }

  private static void noteReturn(Course course, long nowMillis) {
    if (course.isBack) {
      course.isBack = false;
      course.backMillis = nowMillis;
      course.wantedMillis = course.wantedMillis == 0 ? nowMillis : course.wantedMillis;
    }
  }

  /** What a majority of clocks agreed on that were ahead holds nothing up once they are right. */
  private void forgetFuture(long nowMillis) {
    long newest = Coverage.stamp(nowMillis + settings.settle().toMillis());
    coverage.forgetBeyond(newest);
    if (trees.newestCut() > newest) {
      boolean wasRunning = running;
      pause();
      trees.forget();
      running = wasRunning;
    }
    for (Course course : courses.values()) {
      course.backMillis = Math.min(course.backMillis, nowMillis);
      course.wantedMillis = Math.min(course.wantedMillis, nowMillis);
    }
  }

  private boolean hasStoodStill() {
    long now = ground.nanoTime().getAsLong();
    long stood = tickedNanos == 0 ? 0 : now - tickedNanos;
    tickedNanos = now;
    return stood > STOOD_NANOS;
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(ground.nanoTime().getAsLong() - nanos);
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
    if (settled && !trees.isBuilding() && trees.newestCut() < Coverage.stamp(aligned)) {
      trees.want(Coverage.stamp(aligned));
    }
  }

  /** The newest cut on which members agree, in Unix milliseconds. */
  private long rounded(long nowMillis, long granularityMillis) {
    long settled = nowMillis - settings.settle().toMillis();
    return settled - Math.floorMod(settled, granularityMillis);
  }

  private long dueCut(MemberId peer, long alignedMillis, long nowMillis) {
    Course course = courses.computeIfAbsent(peer, member -> new Course());
    boolean pauses = course.pauseMillis > 0 && millisSince(course.failedNanos) < course.pauseMillis;
    if (course.suspect || pauses) {
      return 0;
    }
    long fresh = rounded(nowMillis, settings.granularity().toMillis());
    if (course.wantedMillis > 0) {
      boolean newEnough = trees.newestCut() >= Coverage.stamp(course.wantedMillis);
      long cut = newEnough ? trees.newestCut() : Coverage.stamp(fresh);
      return newEnough || fresh >= course.wantedMillis ? cut : 0;
    }
    long aligned = Coverage.stamp(alignedMillis);
    return aligned > marks.pulled(peer) ? Math.max(aligned, trees.newestCut()) : 0;
  }

  /**
   * Of two members, the one whose name comes first pulls first: what it fetches the other one does
   * not have to look for. It is not waited for long.
   */
  private boolean letsGoFirst(MemberId peer, long alignedMillis) {
    Course course = courses.computeIfAbsent(peer, member -> new Course());
    long wanted = course.wantedMillis > 0 ? course.wantedMillis : alignedMillis;
    if (ground.self().compareTo(peer) < 0 || marks.pulledBy(peer) >= Coverage.stamp(wanted)) {
      course.isWaiting = false;
      return false;
    }
    if (!course.isWaiting) {
      course.isWaiting = true;
      course.waitingSinceNanos = ground.nanoTime().getAsLong();
    }
    return millisSince(course.waitingSinceNanos)
        < Math.min(WAIT_MAX_MILLIS, settings.interval().toMillis() / 4);
  }

  private void begin(MemberId peer, long cut) {
    Pull pull =
        new Pull(
            ground,
            settings,
            marks,
            pace,
            trees,
            reaper,
            adoption,
            dropped,
            peer,
            end -> ended(peer, end));
    current = pull;
    pull.start(cut);
  }

  private void ended(MemberId peer, End end) {
    current = null;
    Course course = courses.computeIfAbsent(peer, member -> new Course());
    switch (end) {
      case End.Completed completed -> {
        ground.meters().pull(true);
        course.pauseMillis = 0;
        course.isWaiting = false;
        if (completed.cut() >= Coverage.stamp(course.wantedMillis)) {
          boolean stayed = completed.cut() >= Coverage.stamp(course.backMillis);
          course.wantedMillis = stayed ? 0 : course.backMillis;
        }
      }
      case End.Failed failed -> {
        ground.meters().pull(false);
        log.debug("Not yet equal to {}: {}", peer, failed.reason());
        course.failedNanos = ground.nanoTime().getAsLong();
        course.pauseMillis =
            Math.clamp(2 * course.pauseMillis, RETRY_MIN_MILLIS, settings.retryMax().toMillis());
      }
      case End.MissedRemovals missed -> {
        ground.meters().pull(false);
        missedRemovals.accept(peer);
      }
    }
  }
}
