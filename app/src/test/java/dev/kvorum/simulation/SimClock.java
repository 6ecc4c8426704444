package dev.kvorum.simulation;

import dev.kvorum.replica.VirtualLoop;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A machine's wall clock: off by a skew, drifting, jumping, and by no more than a bound and a tick.
 */
final class SimClock implements InstantSource {
  private final VirtualLoop time;
  private final InstantSource truth;
  private final long boundMillis;
  private final long tickMillis;
  private long offsetMillis;
  private long setNanos;
  private double driftPerSecondMillis;

  SimClock(VirtualLoop time, long boundMillis, long tickMillis) {
    this.time = time;
    this.truth = time.wallClock(0);
    this.boundMillis = boundMillis;
    this.tickMillis = tickMillis;
    this.setNanos = time.nanoTime();
  }

  /** Sets it: off by so much, and by so much more each second. */
  void set(long millis, double perSecondMillis) {
    offsetMillis = millis;
    driftPerSecondMillis = perSecondMillis;
    setNanos = time.nanoTime();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    double drifted = driftPerSecondMillis * (time.nanoTime() - setNanos) / 1e9;
    long offset = Math.clamp(offsetMillis + Math.round(drifted), -boundMillis, boundMillis);
    long exact = truth.millis() + offset;
    return exact - exact % tickMillis;
  }
}
