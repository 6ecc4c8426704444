package dev.kvorum.data;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A clock that gives versions which only ever grow, on this member and past every version it met.
 *
 * <p>Hybrid logical clock of Kulkarni et al., "Logical Physical Clocks and Consistent Snapshots in
 * Globally Distributed Databases" (2014): wall-clock milliseconds where these move on, a counter
 * where they do not. Two bounds keep it honest:
 *
 * <ul>
 *   <li>It never runs further ahead of the wall clock than {@code maxOffset}, so that one broken
 *       clock in the cluster does not carry all others away.
 *   <li>It never passes its <em>high-water mark</em>, which the owner makes durable ahead of use
 *       and hands to the next start: so a restart never goes back, whatever the wall clock shows.
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
   * A clock that continues after the given high-water mark.
   *
   * @param maxOffset how far a stamp may be ahead of the wall clock
   * @param writer this member's number, see {@link Version#writer}
   * @param highWaterMillis the last mark made durable, Unix milliseconds; 0 on the first start
   */
  public HybridLogicalClock(
      InstantSource wallClock, Duration maxOffset, int writer, long highWaterMillis) {
    this.wallClock = wallClock;
    this.maxOffsetMillis = maxOffset.toMillis();
    this.writer = writer;
    this.last = new AtomicLong(Version.stampOf(highWaterMillis));
    this.highWaterMillis = highWaterMillis;
  }

  /** Holds the wall clock to what other clocks allow, from its next reading on. */
  public void holdTo(ClockBounds newBounds) {
    bounds = newBounds;
  }

  /**
   * A version newer than all that this clock gave or met, or null while it would have to run ahead
   * of the wall clock or of the high-water mark to give one, or the wall clock is suspended or
   * beyond its bounds.
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
      if (millis > wallMillis + maxOffsetMillis || millis > highWaterMillis) {
        return null;
      }
      if (last.compareAndSet(before, stamp)) {
        return new Version(stamp, writer);
      }
    }
  }

  /**
   * Moves past a version that was met elsewhere.
   *
   * @return false, and nothing moves, when that version is too far ahead of the wall clock
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
   * Suspends the clock while the wall clock is too far ahead of the others' for versions to be
   * given.
   */
  public void suspend(boolean isAhead) {
    suspended = isAhead;
  }

  /** Whether a version is further ahead of the wall clock than any honest clock of the cluster. */
  public boolean isTooFarAhead(Version version) {
    long allowedMillis = Math.min(wallClock.millis(), bounds.ceilingMillis());
    return version.millis() > allowedMillis + maxOffsetMillis;
  }

  /** No version that this clock gave or met, in this life or an earlier one, is above it. */
  public long newestStamp() {
    return last.get();
  }

  /** How far it runs ahead of the wall clock, milliseconds; 0 when it does not. */
  public long aheadMillis() {
    return Math.max(0, Version.millisOf(last.get()) - wallClock.millis());
  }

  /** The wall clock as it is, Unix milliseconds, however wrong. */
  public long wallMillis() {
    return wallClock.millis();
  }

  /**
   * The time that expiry and age are judged by, Unix milliseconds: the wall clock's, or that of the
   * other members' clocks where these prove it wrong.
   */
  public long correctedMillis() {
    return bounds.corrected(wallClock.millis());
  }

  /**
   * The mark to make durable next so that the clock may run for {@code reserve} from now; {@code
   * reserve} has to be more than the offset that the clock may be ahead of the wall clock. While
   * the wall clock is suspended or beyond its bounds the mark stays where it is, since the next
   * start begins above it.
   */
  public long nextHighWaterMillis(Duration reserve) {
    long wallMillis = wallClock.millis();
    return suspended || wallMillis > bounds.ceilingMillis()
        ? highWaterMillis
        : Math.max(highWaterMillis, wallMillis + reserve.toMillis());
  }

  /** The mark up to which this clock may run now, Unix milliseconds. */
  public long highWaterMillis() {
    return highWaterMillis;
  }

  /** Lets the clock run up to a mark that has been made durable. Marks only grow. */
  public synchronized void reservedUpTo(long durableMillis) {
    highWaterMillis = Math.max(highWaterMillis, durableMillis);
  }
}
