package dev.kvorum.rpc;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Exponential pauses between failed attempts to connect. */
final class Backoff {
  private final long minMillis;
  private final long maxMillis;
  private final RandomGenerator random;
  private long pauseMillis;
  private long nextNanos = System.nanoTime();

  Backoff(RpcSettings settings, RandomGenerator random) {
    this.minMillis = settings.reconnectMin().toMillis();
    this.maxMillis = settings.reconnectMax().toMillis();
    this.random = random;
  }

  /** Whether the next attempt may begin. */
  boolean isOver(long now) {
    return now - nextNanos >= 0;
  }

  /** Lets the next attempt begin at once. */
  void reset() {
    pauseMillis = 0;
    nextNanos = System.nanoTime();
  }

  void failed() {
    pauseMillis = Math.min(maxMillis, Math.max(minMillis, pauseMillis * 2));
    // Jitter over half of the pause, so that nodes that lost each other together do not retry in
    // step.
    long jittered = pauseMillis / 2 + random.nextLong(pauseMillis / 2 + 1);
    nextNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(jittered);
  }
}
