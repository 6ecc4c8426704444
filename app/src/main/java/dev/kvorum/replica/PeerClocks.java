package dev.kvorum.replica;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
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
 * proves neither changes nothing. Safe for use by many threads.
 */
public final class PeerClocks {
  private static final Logger log = LoggerFactory.getLogger(PeerClocks.class);

  private final HybridLogicalClock clock;
  private final long maxOffsetMillis;
  private final LongSupplier nanoTime;
  private final Map<MemberId, Word> words = new HashMap<>();
  private boolean doubted;

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
   */
  private record Word(Verdict verdict, long aheadMillis, long freshUntilNanos) {}

  /**
   * For one node.
   *
   * @param clock that gives its versions
   * @param maxOffset by which clocks may differ
   * @param nanoTime a monotone clock, in nanoseconds
   */
  public PeerClocks(HybridLogicalClock clock, Duration maxOffset, LongSupplier nanoTime) {
    this.clock = clock;
    this.maxOffsetMillis = maxOffset.toMillis();
    this.nanoTime = nanoTime;
  }

  /** This node's wall clock, to be noted before a peer is asked for its own. */
  public long wallMillis() {
    return clock.wallMillis();
  }

  /**
   * A peer has told its time.
   *
   * @param askedMillis this node's wall clock before it was asked
   * @param fresh for how long an agreement counts unless it is said anew
   */
  public void told(MemberId peer, long askedMillis, long peerMillis, Duration fresh) {
    long heardMillis = clock.wallMillis();
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
      words.put(peer, new Word(verdict, ahead, nanoTime.getAsLong() + fresh.toNanos()));
      changed = judge();
    }
    tell(changed);
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
    return changed;
  }

  private void tell(boolean changed) {
    if (!changed) {
      return;
    }
    if (isDoubted()) {
      log.error(
          "This machine's clock is over {} ms ahead of the other members': writes are refused here"
              + " until it is right (kvorum.clock.max-offset)",
          maxOffsetMillis);
    } else {
      log.info("This machine's clock agrees with the other members' again");
    }
  }

  private synchronized boolean isDoubted() {
    return doubted;
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
