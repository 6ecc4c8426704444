package dev.kvorum.replica;

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
 * What the clocks of the other members say of this one's, from their answers to heartbeats ({@code
 * docs/adr/0015}). While at least as many of them say that it is too far ahead as agree with it,
 * itself among these, it gives no versions: the others would refuse them, but this node's own
 * replica would have them, and they would be newest once the others' clocks have come so far.
 *
 * <p>An answer was given at some time between question and answer: it is held against this clock
 * only when the clock was too far ahead as it asked, and for it when it is not as it hears; what
 * proves neither changes nothing.
 *
 * <p>Between answers the other clocks are followed by the monotone clock ({@link MajorityClock}),
 * so that a jump of this one is noticed when it is read next. Safe for use by many threads.
 */
public final class PeerClocks implements ClockBounds {
  private static final Logger log = LoggerFactory.getLogger(PeerClocks.class);

  /** How often it is looked at again who is a member, where nobody is heard. */
  private static final long RENEWED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a quick answer is believed more than slow ones: clocks hardly drift meanwhile. */
  private static final long KEPT_MILLIS = 10_000;

  private final HybridLogicalClock clock;
  private final long maxOffsetMillis;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final Supplier<List<MemberId>> peers;
  private final Map<MemberId, Word> words = new HashMap<>();
  private volatile boolean doubted;
  private volatile Bounds bounds;

  private enum Verdict {
    TOO_FAR_AHEAD,
    AGREES,
    UNSURE
  }

  /**
   * What one peer said last.
   *
   * @param aheadMillis of this node's clock before the peer's, as likely as not
   * @param freshUntilNanos until when it counts as agreement; what is against the clock counts on
   * @param reading of the peer's clock against the monotone one
   * @param readMillis when that was made last, by the monotone clock
   */
  private record Word(
      Verdict verdict,
      long aheadMillis,
      long freshUntilNanos,
      MajorityClock.Reading reading,
      long readMillis) {}

  /**
   * What all readings come to.
   *
   * @param majority by peers that were heard lately: a wrong clock may have been put right since
   * @param known the same, or by all that were ever heard where these are too few
   * @param judging tells right clocks from wrong ones: of as few as make a majority each one that
   *     is behind would be believed, so what silent peers showed last counts with these
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
   * @param peers the other members, those that are never heard included
   */
  public PeerClocks(
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
   * A peer has told its time.
   *
   * @param asked when it was asked
   * @param peerMillis its wall clock, Unix milliseconds
   * @param fresh for how long an agreement counts unless it is said anew
   */
  public void told(MemberId peer, Asked asked, long peerMillis, Duration fresh) {
    long heardMillis = clock.wallMillis();
    long askedMillis = asked.wallMillis();
    // The peer read its clock between the two; both are cut to whole milliseconds.
    MajorityClock.Reading reading =
        new MajorityClock.Reading(
            peerMillis - monotoneMillis() - 1, peerMillis + 1 - asked.monotoneMillis());
    boolean changed;
    synchronized (this) {
      Word before = words.get(peer);
      Verdict verdict =
          askedMillis - peerMillis > maxOffsetMillis
              ? Verdict.TOO_FAR_AHEAD
              : heardMillis - peerMillis <= maxOffsetMillis
                  ? Verdict.AGREES
                  : before == null ? Verdict.UNSURE : before.verdict;
      long ahead = (askedMillis + heardMillis) / 2 - peerMillis;
      long freshUntilNanos = nanoTime.getAsLong() + fresh.toNanos();
      Word word =
          before != null && isTooSlow(reading, before)
              ? new Word(verdict, ahead, freshUntilNanos, before.reading, before.readMillis)
              : new Word(
                  verdict, ahead, freshUntilNanos, narrowed(before, reading), monotoneMillis());
      words.put(peer, word);
      changed = judge();
    }
    tell(changed);
  }

  /**
   * Whether an answer came so late that it tells less than what is known, as the first one after
   * this process was paused: a clock that drifts would seem to be anywhere within the pause.
   */
  private boolean isTooSlow(MajorityClock.Reading reading, Word before) {
    return reading.widthMillis() > maxOffsetMillis
        && before.reading.widthMillis() <= maxOffsetMillis
        && monotoneMillis() - before.readMillis < KEPT_MILLIS;
  }

  /** A slow answer says little: what is known holds unless the new reading proves it wrong. */
  private static MajorityClock.Reading narrowed(
      @Nullable Word before, MajorityClock.Reading reading) {
    if (before == null) {
      return reading;
    }
    long earliest = Math.max(before.reading.earliest(), reading.earliest());
    long latest = Math.min(before.reading.latest(), reading.latest());
    return earliest <= latest ? new MajorityClock.Reading(earliest, latest) : reading;
  }

  /** It is no member any more. */
  void forget(MemberId peer) {
    boolean changed;
    synchronized (this) {
      words.remove(peer);
      changed = judge();
    }
    tell(changed);
  }

  private boolean judge() {
    long now = nanoTime.getAsLong();
    int against = 0;
    int agreeing = 1;
    for (Word word : words.values()) {
      against += word.verdict == Verdict.TOO_FAR_AHEAD ? 1 : 0;
      agreeing += word.verdict == Verdict.AGREES && word.freshUntilNanos - now > 0 ? 1 : 0;
    }
    boolean doubtful = against >= agreeing;
    boolean changed = doubtful != doubted;
    doubted = doubtful;
    clock.doubt(doubtful);
    bounds = boundsNow(now);
    return changed;
  }

  private synchronized Bounds boundsNow(long now) {
    List<MemberId> others = peers.get();
    List<Word> all = others.stream().map(words::get).filter(Objects::nonNull).toList();
    List<Word> fresh = all.stream().filter(word -> word.freshUntilNanos - now > 0).toList();
    long leftNanos =
        fresh.stream().mapToLong(word -> word.freshUntilNanos - now).min().orElse(RENEWED_NANOS);
    MajorityClock majority = MajorityClock.of(others.size(), readings(fresh));
    MajorityClock known =
        majority.isKnown() ? majority : MajorityClock.ofOld(others.size(), readings(all));
    MajorityClock judging =
        majority.hasSpare() ? majority : MajorityClock.of(others.size(), readings(all));
    return new Bounds(majority, known, judging, now + leftNanos);
  }

  private static List<MajorityClock.Reading> readings(List<Word> words) {
    return words.stream().map(Word::reading).toList();
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
    return doubted || clock.wallMillis() > ceilingMillis();
  }

  @Override
  public long ceilingMillis() {
    return bounds().known.ceiling(monotoneMillis(), maxOffsetMillis);
  }

  @Override
  public long corrected(long wallMillis) {
    return bounds().judging.corrected(wallMillis, monotoneMillis(), maxOffsetMillis);
  }

  private void tell(boolean changed) {
    if (!changed) {
      return;
    }
    if (doubted) {
      log.error(
          "This machine's clock is over {} ms ahead of the other members': writes are refused here"
              + " until it is right (kvorum.clock.max-offset)",
          maxOffsetMillis);
    } else {
      log.info("This machine's clock agrees with the other members' again");
    }
  }

  /**
   * How far this machine's clock is ahead of the others', by the middle one of them or, of two in
   * the middle, the one that is closer, milliseconds; below 0 when it is behind, 0 when nobody has
   * told the time.
   */
  public synchronized long offsetMillis() {
    long[] sorted = words.values().stream().mapToLong(Word::aheadMillis).sorted().toArray();
    if (sorted.length == 0) {
      return 0;
    }
    long upper = sorted[sorted.length / 2];
    long lower = sorted[(sorted.length - 1) / 2];
    return Math.abs(lower) < Math.abs(upper) ? lower : upper;
  }
}
