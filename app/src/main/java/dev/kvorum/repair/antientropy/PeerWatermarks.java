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
 * What other members are known to hold of what this one holds: for each a stamp up to which it has
 * everything, or something newer.
 *
 * <p>A member that has pulled at a cut has all that this one held then. What arrives here later
 * though its stamp is older (a hint, a repair, a slow write) it may not have: every such arrival
 * takes back what was known beyond it, until that member pulls again. Nothing of this survives a
 * restart, so nothing has to be durable before a late write is taken on.
 *
 * <p>Safe for use by many threads: writes arrive on all loops.
 */
final class PeerWatermarks implements WriteListener {
  private static final int CUTS_MAX = 8;

  private final BackgroundContext context;
  private final long settleMillis;
  private final Map<MemberId, Long> covered = new HashMap<>();

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
    // Half: what is younger now will be stored, or abandoned, before it is as old as a cut.
    if (version.millis() + settleMillis / 2 <= context.clock().correctedMillis()) {
      late(version.stamp());
    }
  }

  /** Takes note of a record that is stored though it may be older than cuts. */
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

  /** A scan begins that finds all there is up to a cut. */
  synchronized void scanBegins(long cut) {
    turn();
    oldestSince.put(cut, Math.min(oldestNow, oldestBefore));
  }

  /** A member has pulled all that was found at a cut. */
  synchronized void pulled(MemberId member, long cut) {
    Long oldest = oldestSince.get(cut);
    if (oldest != null) {
      covered.merge(member, Math.min(cut, oldest - 1), Math::max);
    }
  }

  /** What is known beyond this stamp was agreed on by clocks that were ahead. */
  synchronized void forgetBeyond(long stamp) {
    covered.values().removeIf(upTo -> upTo > stamp);
  }

  /** A member has lost what it had. */
  synchronized void forget(MemberId member) {
    covered.remove(member);
  }

  /** The stamp up to which all these members have everything; 0 when nothing is known of one. */
  synchronized long upTo(List<MemberId> members) {
    return members.stream()
        .mapToLong(member -> covered.getOrDefault(member, 0L))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
