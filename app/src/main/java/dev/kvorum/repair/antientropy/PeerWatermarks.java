package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * For each peer, a stamp up to which the peer has every record that this member holds, or something
 * newer.
 *
 * <p>A peer that has completed a session at a cut has all that this member held then. A record that
 * arrives here later with an older stamp (a hint, a repair, a slow write) may be missing there:
 * each such arrival lowers the watermarks below its stamp until the next session. Watermarks are
 * not durable, so a late write need not wait for any to be.
 *
 * <p>Thread-safe: writes arrive on all event loops.
 */
final class PeerWatermarks implements WriteListener {
  private static final int CUTS_MAX = 8;

  private final BackgroundContext context;
  private final long settleMillis;
  private final Map<MemberId, Long> covered = new HashMap<>();
  private final Map<MemberId, Long> lives = new HashMap<>();

  // The oldest late arrival since a cut's scan began, and shortly before.
  private final Map<Long, Long> oldestSince =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > CUTS_MAX;
        }
      };
  private long oldestNow = Long.MAX_VALUE;
  private long oldestBefore = Long.MAX_VALUE;
  private long turnedNanos;

  public PeerWatermarks(BackgroundContext context, RepairSettings settings) {
    this.context = context;
    this.settleMillis = settings.settle().toMillis();
    this.turnedNanos = context.nanoTime().getAsLong();
  }

  @Override
  public void arriving(Version version) {
    // Half: a younger write will be stored or abandoned before it is as old as a cut.
    if (version.millis() + settleMillis / 2 <= context.clock().correctedMillis()) {
      late(version.stamp());
    }
  }

  /** Lowers the watermarks for a record that is stored although it may be older than cuts. */
  public synchronized void late(long stamp) {
    turn();
    oldestNow = Math.min(oldestNow, stamp);
    covered.replaceAll((member, upTo) -> Math.min(upTo, stamp - 1));
    oldestSince.replaceAll((cut, oldest) -> Math.min(oldest, stamp));
  }

  private void turn() {
    long now = context.nanoTime().getAsLong();
    long sinceMillis = TimeUnit.NANOSECONDS.toMillis(now - turnedNanos);
    if (sinceMillis > settleMillis) {
      oldestBefore = sinceMillis > 2 * settleMillis ? Long.MAX_VALUE : oldestNow;
      oldestNow = Long.MAX_VALUE;
      turnedNanos = now;
    }
  }

  /** Called when a scan for a cut begins. */
  synchronized void scanBegins(long cut) {
    turn();
    oldestSince.put(cut, Math.min(oldestNow, oldestBefore));
  }

  /** Raises the watermark of a peer that has completed a session at a cut. */
  synchronized void pulled(MemberId member, long cut) {
    Long oldest = oldestSince.get(cut);
    if (oldest != null) {
      covered.merge(member, Math.min(cut, oldest - 1), Math::max);
    }
  }

  /** Discards watermarks above a stamp: they come from clocks that were ahead. */
  synchronized void removeBeyond(long stamp) {
    covered.values().removeIf(upTo -> upTo > stamp);
  }

  /** Discards the watermark of a peer whose store has been replaced: it may hold less. */
  synchronized void ofStore(MemberId member, long life) {
    Long before = lives.put(member, life);
    if (before != null && before != life) {
      covered.remove(member);
    }
  }

  /** The stamp up to which all these peers have everything; 0 if one of them has no watermark. */
  synchronized long upTo(List<MemberId> members) {
    return members.stream()
        .mapToLong(member -> covered.getOrDefault(member, 0L))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
