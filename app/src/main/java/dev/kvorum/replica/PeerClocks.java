package dev.kvorum.replica;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the clocks of the other members say of this one's, from their answers to heartbeats. While
 * at least as many of them say that it is too far ahead as agree with it, itself among these, it
 * gives no versions: the others would refuse them, but this node's own replica would have them, and
 * they would be newest once the others' clocks have come so far.
 *
 * <p>An answer was given at some time between question and answer, so that nothing is held against
 * a clock but what even the earliest of these times proves. Safe for use by many threads.
 */
public final class PeerClocks {
  private static final Logger log = LoggerFactory.getLogger(PeerClocks.class);

  private final HybridLogicalClock clock;
  private final long maxOffsetMillis;
  private final Map<MemberId, Word> words = new HashMap<>();
  private boolean doubted;

  /**
   * What one peer said last.
   *
   * @param aheadMillis of this node's clock before the peer's, as likely as not
   * @param tooFar whether it is surely ahead by more than is allowed
   */
  private record Word(long aheadMillis, boolean tooFar) {}

  /**
   * For one node.
   *
   * @param clock that gives its versions
   * @param maxOffset by which clocks may differ
   */
  public PeerClocks(HybridLogicalClock clock, Duration maxOffset) {
    this.clock = clock;
    this.maxOffsetMillis = maxOffset.toMillis();
  }

  /** A peer has told its time, to a question that was asked so long ago. */
  synchronized void heard(MemberId peer, long peerMillis, long sinceAskedNanos) {
    // Rounded up, and one more for what the two clocks round.
    long tripMillis = TimeUnit.NANOSECONDS.toMillis(sinceAskedNanos) + 2;
    long ahead = clock.wallMillis() - peerMillis;
    words.put(peer, new Word(ahead - tripMillis / 2, ahead - tripMillis > maxOffsetMillis));
    judge();
  }

  /** It is no member any more. */
  synchronized void forget(MemberId peer) {
    words.remove(peer);
    judge();
  }

  private void judge() {
    long against = words.values().stream().filter(Word::tooFar).count();
    boolean doubtful = against >= 1 + words.size() - against;
    if (doubtful != doubted) {
      doubted = doubtful;
      clock.doubt(doubtful);
      if (doubtful) {
        log.error(
            "This machine's clock is over {} ms ahead of {} of {} other members': writes are"
                + " refused here until it is right (kvorum.clock.max-offset)",
            maxOffsetMillis,
            against,
            words.size());
      } else {
        log.info("This machine's clock agrees with the other members' again");
      }
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
