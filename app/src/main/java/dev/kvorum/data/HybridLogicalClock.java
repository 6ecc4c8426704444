package dev.kvorum.data;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Issues versions that only grow, on this member and beyond every version that it has received.
 *
 * <p>Hybrid logical clock of Kulkarni et al., "Logical Physical Clocks and Consistent Snapshots in
 * Globally Distributed Databases" (2014). A stamp consists of wall-clock milliseconds, and a
 * counter for stamps within one millisecond. Two bounds apply:
 *
 * <ul>
 *   <li>It never runs further ahead of the wall clock than {@code maxOffset}, so that one wrong
 *       clock in the cluster does not advance all others.
 *   <li>It never passes its <em>high-water mark</em>. The owner makes the mark durable in advance
 *       and passes it to the next start. A restart therefore never goes back, whatever the wall
 *       clock shows.
 * </ul>
 *
 * <p>Safe for use by many threads; no operation blocks.
 */
public final class HybridLogicalClock {
  private final InstantSource wallClock;
  private final long maxOffsetMillis;
  private final int writer;
  private final AtomicLong last;
  private volatile long highWaterMillis;
  private volatile boolean suspended;
  private volatile ClockBounds bounds = ClockBounds.NONE;

  /**
   * Creates a clock that continues after the given high-water mark.
   *
   * @param maxOffset how far a stamp may be ahead of the wall clock
   * @param writer this member's number, see {@link Version#writer}
   * @param highWaterMillis the last durable mark, in Unix milliseconds; 0 on the first start
   */
  public HybridLogicalClock(
      InstantSource wallClock, Duration maxOffset, int writer, long highWaterMillis) {
    this.wallClock = wallClock;
    this.maxOffsetMillis = maxOffset.toMillis();
    this.writer = writer;
    this.last = new AtomicLong(Version.stampOf(highWaterMillis));
    this.highWaterMillis = highWaterMillis;
  }

  /** Limits the wall clock by other clocks, from its next reading on. */
  public void holdTo(ClockBounds newBounds) {
    bounds = newBounds;
  }

  /**
   * Returns a version newer than all that this clock has issued or received. Returns null if the
   * version would be too far ahead of the wall clock or not below the high-water mark, or if the
   * wall clock is suspended or beyond its bounds.
   */
  public @Nullable Version next() {
    long wallMillis = wallClock.millis();
    if (suspended || wallMillis > bounds.ceilingMillis()) {
      return null;
    }
    long wall = Version.stampOf(wallMillis);
    while (true) {
      long before = last.get();
      long stamp = Math.max(before + 1, wall);
      long millis = Version.millisOf(stamp);
      if (millis > wallMillis + maxOffsetMillis || millis >= highWaterMillis) {
        return null;
      }
      if (last.compareAndSet(before, stamp)) {
        return new Version(stamp, writer);
      }
    }
  }

  /** The reason why {@link #next} has just returned null. */
  public RejectReason whyNone() {
    long wallMillis = wallClock.millis();
    boolean isAhead = Version.millisOf(last.get() + 1) > wallMillis + maxOffsetMillis;
    return suspended || isAhead || wallMillis > bounds.ceilingMillis()
        ? RejectReason.CLOCK_AHEAD
        : RejectReason.CLOCK_NOT_READY;
  }

  /**
   * Advances the clock beyond a received version.
   *
   * @return false, without a change, if that version is too far ahead of the wall clock
   */
  public boolean observe(Version met) {
    if (isTooFarAhead(met)) {
      return false;
    }
    long before = last.get();
    while (before < met.stamp() && !last.compareAndSet(before, met.stamp())) {
      before = last.get();
    }
    return true;
  }

  /**
   * Suspends the clock, which then issues no versions, while the wall clock is too far ahead of its
   * peers' clocks.
   */
  public void suspend(boolean isAhead) {
    suspended = isAhead;
  }

  /**
   * Returns whether a version is further ahead of the wall clock than that of any correct clock.
   */
  public boolean isTooFarAhead(Version version) {
    long allowedMillis = Math.min(wallClock.millis(), bounds.ceilingMillis());
    return version.millis() > allowedMillis + maxOffsetMillis;
  }

  /**
   * Upper bound of all stamps that this clock has issued or received, before or after a restart.
   */
  public long newestStamp() {
    return last.get();
  }

  /** How far the clock is ahead of the wall clock, in milliseconds; 0 if it is not. */
  public long aheadMillis() {
    return Math.max(0, Version.millisOf(last.get()) - wallClock.millis());
  }

  /** The uncorrected wall clock, in Unix milliseconds. */
  public long wallMillis() {
    return wallClock.millis();
  }

  /**
   * The time for expiry and age, in Unix milliseconds: the wall clock's, or that of the peers'
   * clocks if they prove it wrong.
   */
  public long correctedMillis() {
    return bounds.corrected(wallClock.millis());
  }

  /**
   * The mark to make durable next, so that the clock may run for {@code reserve} from now. {@code
   * reserve} must exceed the offset by which the clock may be ahead of the wall clock. The mark
   * does not move while the wall clock is suspended or beyond its bounds, since the next start
   * begins above it.
   */
  public long nextHighWaterMillis(Duration reserve) {
    long wallMillis = wallClock.millis();
    return suspended || wallMillis > bounds.ceilingMillis()
        ? highWaterMillis
        : Math.max(highWaterMillis, wallMillis + reserve.toMillis());
  }

  /** The mark below which this clock runs now, in Unix milliseconds. */
  public long highWaterMillis() {
    return highWaterMillis;
  }

  /** Allows the clock to run below a mark that has been made durable. Marks only grow. */
  public synchronized void reservedUpTo(long durableMillis) {
    highWaterMillis = Math.max(highWaterMillis, durableMillis);
  }
}
