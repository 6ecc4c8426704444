package dev.kvorum.rpc;

import dev.kvorum.data.ClockBounds;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this node's clock with its peers' clocks, by their replies to heartbeats ({@code
 * docs/adr/0015}). Suspends the clock while at least as many peers show it too far ahead as clocks,
 * its own included, agree. Peers would reject the versions of such a clock. This node's own replica
 * would store them, and they would be the newest once the peers' clocks have caught up.
 *
 * <p>A peer reads its clock between request and reply. A reply counts against this node's clock if
 * the clock was too far ahead at the request, and for it if it is not at the reply; otherwise it
 * changes nothing.
 *
 * <p>Between replies, the monotonic clock extrapolates the peers' clocks ({@link MajorityClock}),
 * so that the next reading of this clock shows a jump. Safe for use by many threads.
 */
public final class RemoteClockMonitor implements ClockBounds {
  private static final Logger log = LoggerFactory.getLogger(RemoteClockMonitor.class);

  /** Interval at which the membership is checked again while no peer replies. */
  private static final long RENEWED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time for which a fast reply outranks slow ones; clocks hardly drift meanwhile. */
  private static final long KEPT_MILLIS = 10_000;

  private final HybridLogicalClock clock;
  private final long maxOffsetMillis;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final Supplier<List<MemberId>> peers;
  private final Map<MemberId, PeerReply> replies = new HashMap<>();
  private volatile boolean suspended;
  private volatile Bounds bounds;

  private enum Verdict {
    TOO_FAR_AHEAD,
    AGREES,
    UNSURE
  }

  /**
   * The last reading of one peer.
   *
   * @param aheadMillis estimate of how far this node's clock is ahead of the peer's
   * @param freshUntilNanos until when the reading counts as agreement; disagreement counts longer
   * @param reading the peer's clock relative to the monotonic clock
   * @param readMillis time of that reading, by the monotonic clock
   */
  private record PeerReply(
      Verdict verdict,
      long aheadMillis,
      long freshUntilNanos,
      MajorityClock.Reading reading,
      long readMillis) {}

  /**
   * The result of all readings.
   *
   * @param majority from peers that replied recently: a wrong clock may have been corrected since
   * @param known the same, or from all that ever replied if those are too few
   * @param judging separates correct clocks from wrong ones. With a bare majority each clock that
   *     is behind would count, so the last readings of silent peers are included
   * @param untilNanos time at which the first of the readings is no longer fresh
   */
  private record Bounds(
      MajorityClock majority, MajorityClock known, MajorityClock judging, long untilNanos) {}

  /**
   * Time of a request for a peer's clock.
   *
   * @param wallMillis by this node's wall clock
   * @param monotoneMillis by this node's monotonic clock
   */
  public record Asked(long wallMillis, long monotoneMillis) {}

  /**
   * Creates the monitor of one node and limits the node's clock by the peers' clocks.
   *
   * @param clock issues the node's versions
   * @param maxOffset largest allowed difference between clocks
   * @param nanoTime a monotonic clock in nanoseconds
   * @param peers all peers whose clocks count, including those that never reply
   */
  public RemoteClockMonitor(
      HybridLogicalClock clock,
      Duration maxOffset,
      LongSupplier nanoTime,
      Supplier<List<MemberId>> peers) {
    this.clock = clock;
    this.maxOffsetMillis = maxOffset.toMillis();
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.peers = peers;
    this.bounds = boundsNow(startNanos);
    clock.holdTo(this);
  }

  /** Reads this node's clocks; call it before requesting a peer's time. */
  public Asked ask() {
    return new Asked(clock.wallMillis(), monotoneMillis());
  }

  /** Counts from the creation of this monitor: the machine's own count may overflow. */
  private long monotoneMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
  }

  /**
   * Records the time that a peer has reported.
   *
   * @param asked time of the request
   * @param peerMillis the peer's wall clock, in Unix milliseconds
   * @param fresh time for which an agreement counts unless it is renewed
   */
  public void onReading(MemberId peer, Asked asked, long peerMillis, Duration fresh) {
    long receivedMillis = clock.wallMillis();
    long askedMillis = asked.wallMillis();
    // The peer read its clock between the two; both are rounded down to whole milliseconds.
    MajorityClock.Reading reading =
        new MajorityClock.Reading(
            peerMillis - monotoneMillis() - 1, peerMillis + 1 - asked.monotoneMillis());
    boolean changed;
    synchronized (this) {
      PeerReply before = replies.get(peer);
      Verdict verdict =
          askedMillis - peerMillis > maxOffsetMillis
              ? Verdict.TOO_FAR_AHEAD
              : receivedMillis - peerMillis <= maxOffsetMillis
                  ? Verdict.AGREES
                  : before == null ? Verdict.UNSURE : before.verdict;
      long ahead = (askedMillis + receivedMillis) / 2 - peerMillis;
      long freshUntilNanos = nanoTime.getAsLong() + fresh.toNanos();
      PeerReply reply =
          before != null && isTooSlow(reading, before)
              ? new PeerReply(verdict, ahead, freshUntilNanos, before.reading, before.readMillis)
              : new PeerReply(
                  verdict, ahead, freshUntilNanos, narrowed(before, reading), monotoneMillis());
      replies.put(peer, reply);
      changed = judge();
    }
    logChange(changed);
  }

  /** Returns whether a reply is less precise than the last one, such as the first after a pause. */
  private boolean isTooSlow(MajorityClock.Reading reading, PeerReply before) {
    return reading.widthMillis() > maxOffsetMillis
        && before.reading.widthMillis() <= maxOffsetMillis
        && monotoneMillis() - before.readMillis < KEPT_MILLIS;
  }

  /** Narrows a reading by the last one, unless they contradict: a slow reply is imprecise. */
  private static MajorityClock.Reading narrowed(
      @Nullable PeerReply before, MajorityClock.Reading reading) {
    if (before == null) {
      return reading;
    }
    long earliest = Math.max(before.reading.earliest(), reading.earliest());
    long latest = Math.min(before.reading.latest(), reading.latest());
    return earliest <= latest ? new MajorityClock.Reading(earliest, latest) : reading;
  }

  /** Returns whether a peer has reported its time since this node started. */
  public synchronized boolean hasRead(MemberId peer) {
    return replies.containsKey(peer);
  }

  /** Removes a former member. */
  void remove(MemberId peer) {
    boolean changed;
    synchronized (this) {
      replies.remove(peer);
      changed = judge();
    }
    logChange(changed);
  }

  private boolean judge() {
    long now = nanoTime.getAsLong();
    int against = 0;
    int agreeing = 1;
    for (PeerReply reply : replies.values()) {
      against += reply.verdict == Verdict.TOO_FAR_AHEAD ? 1 : 0;
      agreeing += reply.verdict == Verdict.AGREES && reply.freshUntilNanos - now > 0 ? 1 : 0;
    }
    boolean suspend = against >= agreeing;
    boolean changed = suspend != suspended;
    suspended = suspend;
    clock.suspend(suspend);
    bounds = boundsNow(now);
    return changed;
  }

  private synchronized Bounds boundsNow(long now) {
    List<MemberId> others = peers.get();
    List<PeerReply> all = others.stream().map(replies::get).filter(Objects::nonNull).toList();
    List<PeerReply> fresh = all.stream().filter(reply -> reply.freshUntilNanos - now > 0).toList();
    long leftNanos =
        fresh.stream().mapToLong(reply -> reply.freshUntilNanos - now).min().orElse(RENEWED_NANOS);
    MajorityClock majority = MajorityClock.of(others.size(), readings(fresh));
    MajorityClock known =
        majority.isKnown() ? majority : MajorityClock.ofOld(others.size(), readings(all));
    MajorityClock judging =
        majority.hasSpare() ? majority : MajorityClock.of(others.size(), readings(all));
    return new Bounds(majority, known, judging, now + leftNanos);
  }

  private static List<MajorityClock.Reading> readings(List<PeerReply> replies) {
    return replies.stream().map(PeerReply::reading).toList();
  }

  /** The cached bounds, unless a reading is no longer fresh. */
  private Bounds bounds() {
    Bounds now = bounds;
    long nanos = nanoTime.getAsLong();
    if (nanos - now.untilNanos >= 0) {
      now = boundsNow(nanos);
      bounds = now;
    }
    return now;
  }

  /**
   * The time that the clocks of a majority of all members, this one included, have reached, in Unix
   * milliseconds. While only a minority of clocks is wrong, it is not ahead of all correct ones,
   * whatever this node's own clock shows. It may go back a little. Empty while too few clocks are
   * known.
   */
  public OptionalLong majorityMillis() {
    return bounds().majority.reached(clock.wallMillis(), monotoneMillis());
  }

  /** The latest time that any clock shows that was read since the start, the own one included. */
  public synchronized long latestMillis() {
    return replies.values().stream()
        .mapToLong(reply -> reply.reading.latest() + monotoneMillis())
        .reduce(clock.wallMillis(), Math::max);
  }

  /** Returns whether this node's clock is too far ahead of its peers' clocks to be used. */
  public boolean isSuspended() {
    return suspended || clock.wallMillis() > ceilingMillis();
  }

  /** Largest allowed difference between clocks, in milliseconds. */
  public long maxOffsetMillis() {
    return maxOffsetMillis;
  }

  @Override
  public long ceilingMillis() {
    return bounds().known.ceiling(monotoneMillis(), maxOffsetMillis);
  }

  @Override
  public long corrected(long wallMillis) {
    return bounds().judging.corrected(wallMillis, monotoneMillis(), maxOffsetMillis);
  }

  private void logChange(boolean changed) {
    if (!changed) {
      return;
    }
    if (suspended) {
      log.error(
          "The clock of this machine is more than {} ms ahead of its peers' clocks: writes are"
              + " rejected until it is corrected (kvorum.clock.max-offset)",
          maxOffsetMillis);
    } else {
      log.info("The clock of this machine agrees with its peers' clocks again");
    }
  }

  /** Milliseconds by which this clock is ahead of the peers' median, or the closer of two; or 0. */
  public synchronized long offsetMillis() {
    long[] sorted = replies.values().stream().mapToLong(PeerReply::aheadMillis).sorted().toArray();
    if (sorted.length == 0) {
      return 0;
    }
    long upper = sorted[sorted.length / 2];
    long lower = sorted[(sorted.length - 1) / 2];
    return Math.abs(lower) < Math.abs(upper) ? lower : upper;
  }
}
