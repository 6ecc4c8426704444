package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The question of a member that was away for long: has anybody removed tombstones meanwhile? It
 * does not vote before those that can be reached have answered, within a time.
 */
final class Doubt {
  private static final long RETRY_MILLIS = 1000;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Ground ground;
  private final RepairMarks marks;
  private final Runnable none;
  private final Consumer<MemberId> missed;
  private final long deadlineNanos;
  private boolean over;

  /**
   * A question that has not been asked.
   *
   * @param none run when nobody has
   * @param missed told of a member that has
   */
  Doubt(Ground ground, RepairMarks marks, Runnable none, Consumer<MemberId> missed) {
    this.ground = ground;
    this.marks = marks;
    this.none = none;
    this.missed = missed;
    this.deadlineNanos = ground.nanoTime().getAsLong() + MAX_NANOS;
  }

  /**
   * Whether there is reason to ask: it was not alive for half a horizon, or equal to nobody for a
   * whole one. A short life in between mends nothing. Nor can it tell if its marks lie in the
   * future: then its clock was ahead, or is behind.
   */
  static boolean isDue(
      Ground ground, RepairSettings settings, RepairMarks marks, long lastAliveMillis) {
    List<MemberId> peers = ground.peers().get();
    if (peers.isEmpty()) {
      return false;
    }
    long pulledMillis = peers.stream().mapToLong(marks::pulledOnce).max().orElse(0) >>> 16;
    long equalMillis = Math.max(pulledMillis, marks.get(RepairMarks.WHOLE));
    long now = ground.likelyMillis();
    long horizonMillis = settings.horizon().toMillis();
    return wasAwayLong(ground, settings, lastAliveMillis)
        || Math.abs(now - equalMillis) > horizonMillis;
  }

  /** Whether it was not alive for half a horizon before it started. */
  static boolean wasAwayLong(Ground ground, RepairSettings settings, long lastAliveMillis) {
    return Math.abs(ground.likelyMillis() - lastAliveMillis) > settings.horizon().toMillis() / 2;
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
  }

  void start() {
    if (over) {
      return;
    }
    List<MemberId> peers = ground.peers().get();
    StatusRound.ask(
        ground, peers, Rebuild.question(ground, marks), heard -> on(peers.size(), heard));
  }

  private void on(int peers, Map<MemberId, Status> heard) {
    if (over) {
      return;
    }
    MemberId ahead =
        heard.entrySet().stream()
            .filter(other -> Pull.hasMissed(other.getValue(), marks.pulledOnce(other.getKey())))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
    if (ahead != null) {
      missed.accept(ahead);
    } else if (heard.size() == peers || ground.nanoTime().getAsLong() - deadlineNanos >= 0) {
      none.run();
    } else {
      ground.loop().schedule(this::start, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
