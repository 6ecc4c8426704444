package dev.kvorum.background;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Limits the rate of background work by an {@link AdaptiveRateLimiter}, adjusted to the latency of
 * clients' reads.
 */
public final class BackgroundRateLimiter {
  private static final long ADAPT_MILLIS = 1000;

  private final BackgroundContext context;
  private final AdaptiveRateLimiter throttle;
  private final LongConsumer spent;
  private final Map<MemberId, Long> timedReads = new HashMap<>();

  /**
   * A limiter that has not started.
   *
   * @param spent counts the bytes
   */
  public BackgroundRateLimiter(
      BackgroundContext context, long bytesPerSecondMax, long latencyMaxNanos, LongConsumer spent) {
    this.context = context;
    this.spent = spent;
    this.throttle = new AdaptiveRateLimiter(bytesPerSecondMax, latencyMaxNanos);
  }

  public void start() {
    ScheduledExecutorService loop = context.loop();
    // Apart: a periodic task that throws would not run again.
    loop.scheduleWithFixedDelay(
        () -> loop.execute(this::adapt), ADAPT_MILLIS, ADAPT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void adapt() {
    throttle.adapt(slowestReadNanos());
  }

  /** Accounts for bytes that were read or sent, and runs {@code next} when the rate allows more. */
  public void after(long bytes, Runnable next) {
    spent.accept(bytes);
    long waitNanos = throttle.spend(bytes, context.nanoTime().getAsLong());
    context.loop().schedule(next, waitNanos, TimeUnit.NANOSECONDS);
  }

  /** Bytes read for a page of records, whose values may have been read and left out. */
  public static long bytesOf(ScanResult.Page page, ScanLimits limits) {
    long bytes = page.records().stream().mapToLong(Mutation::heapBytes).sum();
    boolean full = page.next().isPresent() && page.records().size() < limits.recordsMax();
    return full ? Math.max(bytes, limits.bytesMax()) : bytes;
  }

  /** The slowest read latency of the members; members without recent reads are ignored. */
  private long slowestReadNanos() {
    long slowest = 0;
    for (MemberId peer : context.peers().get()) {
      long count = context.replicas().timedReads(peer);
      Long before = timedReads.put(peer, count);
      if (before != null && count > before && !context.replicas().isSuspect(peer)) {
        slowest = Math.max(slowest, context.replicas().slowReadNanos(peer));
      }
    }
    return slowest;
  }
}
