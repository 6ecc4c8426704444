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
 * Compares the clock of this node with its peers' clocks, from their answers to heartbeats ({@code
 * docs/adr/0015}). While at least as many of them show it too far ahead as agree with it (itself
 * included), it issues no versions: the others would reject them, but this node's own replica would
 * store them, and they would be newest once the others' clocks have caught up.
 *
 * <p>A peer reads its clock at some time between request and reply: the reply counts against this
 * clock only when the clock was too far ahead at the request, and for it when it is not at the
 * reply; a reply that proves neither changes nothing.
 *
 * <p>Between answers the other clocks are followed by the monotone clock ({@link MajorityClock}),
 * so that a jump of this one is noticed when it is read next. Safe for use by many threads.
 */
public final class RemoteClockMonitor implements ClockBounds {
  private static final Logger log = LoggerFactory.getLogger(RemoteClockMonitor.class);

  /** How often the membership is checked again while no peer replies. */
  private static final long RENEWED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a quick reply outranks slow ones: clocks hardly drift meanwhile. */
  private static final long KEPT_MILLIS = 10_000;

  private final HybridLogicalClock clock;
  private final long maxOffsetMillis;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final Supplier<List<MemberId>> peers;
  private final Map<MemberId, PeerAnswer> answers = new HashMap<>();
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
   * @param aheadMillis of this node's clock before the peer's, as likely as not
   * @param freshUntilNanos until when it counts as agreement; what is against the clock counts on
   * @param reading of the peer's clock against the monotone one
   * @param readMillis when that was made last, by the monotone clock
   */
  private record PeerAnswer(
      Verdict verdict,
      long aheadMillis,
      long freshUntilNanos,
      MajorityClock.Reading reading,
      long readMillis) {}

  /**
   * What all readings come to.
   *
   * @param majority by peers that replied lately: a wrong clock may have been put right since
   * @param known the same, or by all that ever replied where these are too few
   * @param judging separates right clocks from wrong ones: with a bare majority each clock that is
   *     behind would count, so the last readings of silent peers are included
   * @param untilNanos when the first of the readings is no longer fresh
   */
  private record Bounds(
      MajorityClock majority, MajorityClock known, MajorityClock judging, long untilNanos) {}

  /**
   * When a peer was asked for its time.
   *
   * @param wallMillis by this node's wall clock
   * @param monotoneMillis by its monotone clock
   */
  public record Asked(long wallMillis, long monotoneMillis) {}

  /**
   * For one node, whose clock is held to what the peers' clocks allow from now on.
   *
   * @param clock that gives its versions
   * @param maxOffset by which clocks may differ
   * @param nanoTime a monotone clock, in nanoseconds
   * @param peers the other members, those that never reply included
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

  /** This node's clocks, to be noted before a peer is asked for its own. */
  public Asked ask() {
    return new Asked(clock.wallMillis(), monotoneMillis());
  }

  /** Since this was made: the machine's own count may overflow. */
  private long monotoneMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
  }

  /**
   * A peer has reported its time.
   *
   * @param asked when it was asked
   * @param peerMillis its wall clock, Unix milliseconds
   * @param fresh for how long an agreement counts unless it is renewed
   */
  public void onReading(MemberId peer, Asked asked, long peerMillis, Duration fresh) {
    long receivedMillis = clock.wallMillis();
    long askedMillis = asked.wallMillis();
    // The peer read its clock between the two; both are cut to whole milliseconds.
    MajorityClock.Reading reading =
        new MajorityClock.Reading(
            peerMillis - monotoneMillis() - 1, peerMillis + 1 - asked.monotoneMillis());
    boolean changed;
    synchronized (this) {
      PeerAnswer before = answers.get(peer);
      Verdict verdict =
          askedMillis - peerMillis > maxOffsetMillis
              ? Verdict.TOO_FAR_AHEAD
              : receivedMillis - peerMillis <= maxOffsetMillis
                  ? Verdict.AGREES
                  : before == null ? Verdict.UNSURE : before.verdict;
      long ahead = (askedMillis + receivedMillis) / 2 - peerMillis;
      long freshUntilNanos = nanoTime.getAsLong() + fresh.toNanos();
      PeerAnswer answer =
          before != null && isTooSlow(reading, before)
              ? new PeerAnswer(verdict, ahead, freshUntilNanos, before.reading, before.readMillis)
              : new PeerAnswer(
                  verdict, ahead, freshUntilNanos, narrowed(before, reading), monotoneMillis());
      answers.put(peer, answer);
      changed = judge();
    }
    logChange(changed);
  }

  /**
   * Whether a reply came so late that it is less precise than the last one, such as the first after
   * a pause of this process: a clock that drifts would seem to be anywhere within the pause.
   */
  private boolean isTooSlow(MajorityClock.Reading reading, PeerAnswer before) {
    return reading.widthMillis() > maxOffsetMillis
        && before.reading.widthMillis() <= maxOffsetMillis
        && monotoneMillis() - before.readMillis < KEPT_MILLIS;
  }

  /** A slow reply is imprecise: the last reading holds unless the new one contradicts it. */
  private static MajorityClock.Reading narrowed(
      @Nullable PeerAnswer before, MajorityClock.Reading reading) {
    if (before == null) {
      return reading;
    }
    long earliest = Math.max(before.reading.earliest(), reading.earliest());
    long latest = Math.min(before.reading.latest(), reading.latest());
    return earliest <= latest ? new MajorityClock.Reading(earliest, latest) : reading;
  }

  /** Whether a peer has reported its time since this node started. */
  public synchronized boolean hasRead(MemberId peer) {
    return answers.containsKey(peer);
  }

  /** It is no member any more. */
  void remove(MemberId peer) {
    boolean changed;
    synchronized (this) {
      answers.remove(peer);
      changed = judge();
    }
    logChange(changed);
  }

  private boolean judge() {
    long now = nanoTime.getAsLong();
    int against = 0;
    int agreeing = 1;
    for (PeerAnswer answer : answers.values()) {
      against += answer.verdict == Verdict.TOO_FAR_AHEAD ? 1 : 0;
      agreeing += answer.verdict == Verdict.AGREES && answer.freshUntilNanos - now > 0 ? 1 : 0;
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
    List<PeerAnswer> all = others.stream().map(answers::get).filter(Objects::nonNull).toList();
    List<PeerAnswer> fresh =
        all.stream().filter(answer -> answer.freshUntilNanos - now > 0).toList();
    long leftNanos =
        fresh.stream()
            .mapToLong(answer -> answer.freshUntilNanos - now)
            .min()
            .orElse(RENEWED_NANOS);
    MajorityClock majority = MajorityClock.of(others.size(), readings(fresh));
    MajorityClock known =
        majority.isKnown() ? majority : MajorityClock.ofOld(others.size(), readings(all));
    MajorityClock judging =
        majority.hasSpare() ? majority : MajorityClock.of(others.size(), readings(all));
    return new Bounds(majority, known, judging, now + leftNanos);
  }

  private static List<MajorityClock.Reading> readings(List<PeerAnswer> answers) {
    return answers.stream().map(PeerAnswer::reading).toList();
  }

  /** Nearly always what the last answer came to. */
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
   * The time that the clocks of a majority of all members have reached, this one's among these,
   * Unix milliseconds. While a minority of clocks is wrong it is not beyond all right ones,
   * whatever this node's own clock shows. It may go back a little. Empty while too few clocks are
   * known.
   */
  public OptionalLong majorityMillis() {
    return bounds().majority.reached(clock.wallMillis(), monotoneMillis());
  }

  /** Whether this node's clock is too far ahead of the others' to be used. */
  public boolean isSuspended() {
    return suspended || clock.wallMillis() > ceilingMillis();
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

  /**
   * How far this machine's clock is ahead of the others' median (of two in the middle, the closer),
   * milliseconds; below 0 when it is behind, 0 when no peer has reported its time.
   */
  public synchronized long offsetMillis() {
    long[] sorted = answers.values().stream().mapToLong(PeerAnswer::aheadMillis).sorted().toArray();
    if (sorted.length == 0) {
      return 0;
    }
    long upper = sorted[sorted.length / 2];
    long lower = sorted[(sorted.length - 1) / 2];
    return Math.abs(lower) < Math.abs(upper) ? lower : upper;
  }
}
