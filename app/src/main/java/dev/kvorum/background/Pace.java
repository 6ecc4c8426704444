package dev.kvorum.background;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Scanned;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Keeps repair to its {@link Throttle}, and the throttle to what clients' reads take. */
public final class Pace {
  private static final long ADAPT_MILLIS = 1000;

  private final Ground ground;
  private final Throttle throttle;
  private final Map<MemberId, Long> timedReads = new HashMap<>();

  public Pace(Ground ground, long bytesPerSecondMax, long latencyMaxNanos) {
    this.ground = ground;
    this.throttle = new Throttle(bytesPerSecondMax, latencyMaxNanos);
  }

  public void start() {
    ground
        .loop()
        .scheduleWithFixedDelay(
            () -> throttle.adapt(slowestReadNanos()),
            ADAPT_MILLIS,
            ADAPT_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Accounts for bytes that were read or sent, and goes on when there is room for more. */
  public void after(long bytes, Runnable next) {
    ground.meters().repairBytes(bytes);
    long waitNanos = throttle.spend(bytes, ground.nanoTime().getAsLong());
    ground.loop().schedule(next, waitNanos, TimeUnit.NANOSECONDS);
  }

  /** Bytes behind a page of records, whose values may have been read and left out. */
  public static long bytesOf(Scanned.Page page, ScanLimits limits) {
    long bytes = page.records().stream().mapToLong(Mutation::heapBytes).sum();
    boolean full = page.next().isPresent() && page.records().size() < limits.recordsMax();
    return full ? Math.max(bytes, limits.bytesMax()) : bytes;
  }

  /** Members of whom nothing was read lately have nothing to say. */
  private long slowestReadNanos() {
    long slowest = 0;
    for (MemberId peer : ground.peers().get()) {
      long count = ground.replicas().timedReads(peer);
      Long before = timedReads.put(peer, count);
      if (before != null && count > before && !ground.replicas().isSuspect(peer)) {
        slowest = Math.max(slowest, ground.replicas().slowReadNanos(peer));
      }
    }
    return slowest;
  }
}
