package dev.kvorum.simulation.cluster;

import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A machine's wall clock: off by a skew and drifting, by no more than a bound and a tick, unless it
 * has jumped.
 */
public final class SimClock implements InstantSource {
  private final VirtualLoop time;
  private final InstantSource truth;
  private final long boundMillis;
  private final long tickMillis;
  private long offsetMillis;
  private long setNanos;
  private double driftPerSecondMillis;
  private long jumpMillis;
  private boolean outlivesBoot;

  SimClock(VirtualLoop time, long boundMillis, long tickMillis) {
    this.time = time;
    this.truth = time.wallClock(0);
    this.boundMillis = boundMillis;
    this.tickMillis = tickMillis;
    this.setNanos = time.nanoTime();
  }

  /** The virtual time behind it. */
  VirtualLoop time() {
    return time;
  }

  /** Sets it: off by so much, and by so much more each second. */
  public void set(long millis, double perSecondMillis) {
    offsetMillis = millis;
    driftPerSecondMillis = perSecondMillis;
    setNanos = time.nanoTime();
  }

  /**
   * Sets it wrong by far more than the bound, forward or backward.
   *
   * @param bootsWrong whether a start of the machine leaves it so; else that puts it right
   */
  public void jump(long millis, boolean bootsWrong) {
    jumpMillis = millis;
    outlivesBoot = bootsWrong;
  }

  /** Puts it back to its bound. */
  public void correct() {
    jump(0, false);
  }

  /** The machine starts a process. */
  void boot() {
    if (!outlivesBoot) {
      correct();
    }
  }

  boolean isCorrect() {
    return jumpMillis == 0;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    double drifted = driftPerSecondMillis * (time.nanoTime() - setNanos) / 1e9;
    long offset = Math.clamp(offsetMillis + Math.round(drifted), -boundMillis, boundMillis);
    long exact = truth.millis() + offset + jumpMillis;
    return exact - exact % tickMillis;
  }
}
