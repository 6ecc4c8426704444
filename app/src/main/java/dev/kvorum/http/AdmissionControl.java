package dev.kvorum.http;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.kvorum.coordinator.ReadMemory;
import dev.kvorum.metrics.Meters;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is taken on, before any work is done for it: as many at a time as their
 * latency allows, and only as long as their bytes fit into the memory set aside for them.
 *
 * <p>The number follows the gradient of the latency (Gradient2 of Netflix' concurrency-limits,
 * after TCP Vegas): it grows while requests are as fast as usual and shrinks when they queue up.
 * Reads and writes have a limit each, since their latencies differ. Safe for use by many threads.
 */
public final class AdmissionControl {
  private final SimpleLimiter<Void> reads;
  private final SimpleLimiter<Void> writes;
  private final long bytesMax;
  private final Meters meters;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  /**
   * A control that starts with the lowest number of requests.
   *
   * @param inFlightMin requests of a kind that are always taken
   * @param inFlightMax requests of a kind that are taken at most
   * @param bytesMax memory for the values of reads and writes under way
   */
  public AdmissionControl(int inFlightMin, int inFlightMax, long bytesMax, Meters meters) {
    this.reads = limiter(inFlightMin, inFlightMax);
    this.writes = limiter(inFlightMin, inFlightMax);
    this.bytesMax = bytesMax;
    this.meters = meters;
  }

  private static SimpleLimiter<Void> limiter(int min, int max) {
    Gradient2Limit gradient =
        Gradient2Limit.newBuilder()
            .minLimit(min)
            .initialLimit(min)
            .maxConcurrency(max)
            .queueSizeFunction(limit -> Math.max(4, limit / 8))
            .rttTolerance(2.0)
            .build();
    return SimpleLimiter.newBuilder().limit(WindowedLimit.newBuilder().build(gradient)).build();
  }

  /** Takes nothing on any more. */
  public void close() {
    closed = true;
  }

  /** Whether this node takes nothing on any more, however little there is to do. */
  boolean isClosed() {
    return closed;
  }

  /** How many requests were taken on and are not answered. */
  public int inFlight() {
    return readsInFlight() + writesInFlight();
  }

  /** How many of them are reads. */
  public int readsInFlight() {
    return reads.getInflight();
  }

  /** How many of them are writes. */
  public int writesInFlight() {
    return writes.getInflight();
  }

  /** Reads that are taken on at a time now. */
  public int readsMax() {
    return reads.getLimit();
  }

  /** Writes that are taken on at a time now. */
  public int writesMax() {
    return writes.getLimit();
  }

  /** Memory that requests under way hold, in bytes. */
  public long bytes() {
    return bytes.get();
  }

  /** Admits a read, or returns null. What it loads into memory is counted as it arrives. */
  @Nullable Permit read() {
    Permit permit = new Permit(reads, 0);
    return permit.begin() ? permit : null;
  }

  /**
   * Reserves memory for a write, or returns null. The write is admitted by {@link Permit#begin}
   * once its value is here: how long a client takes to send it is no measure of this node's load,
   * and slow clients must not block the others.
   *
   * @param heapBytes what it keeps in memory until {@link Permit#release}
   */
  @Nullable Permit write(long heapBytes) {
    if (closed || writes.getInflight() >= writes.getLimit() || !take(heapBytes)) {
      meters.writeShed();
      return null;
    }
    return new Permit(writes, heapBytes);
  }

  private boolean take(long more) {
    if (bytes.addAndGet(more) > bytesMax) {
      bytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  /** An admitted request. To be used on the loop that took it, but for {@link #release}. */
  final class Permit implements ReadMemory {
    private final SimpleLimiter<Void> limiter;
    private long heapBytes;
    private Limiter.@Nullable Listener listener;
    private boolean handedOver;

    private Permit(SimpleLimiter<Void> limiter, long heapBytes) {
      this.limiter = limiter;
      this.heapBytes = heapBytes;
    }

    @Override
    public boolean take(long more) {
      boolean taken = AdmissionControl.this.take(more);
      heapBytes += taken ? more : 0;
      return taken;
    }

    /** What it keeps in memory. */
    long heapBytes() {
      return heapBytes;
    }

    /** Counts it from now on as under way; false when too many are. */
    boolean begin() {
      listener = closed ? null : limiter.acquire(null).orElse(null);
      if (listener == null) {
        shed();
      }
      return listener != null;
    }

    private void shed() {
      if (limiter.equals(reads)) {
        meters.readShed();
      } else {
        meters.writeShed();
      }
    }

    /** It was answered; its latency adjusts the limit. */
    void served() {
      if (listener != null) {
        listener.onSuccess();
        listener = null;
      }
    }

    /** Hands its memory over to an owner that will call {@link #release}. */
    void handOver() {
      handedOver = true;
    }

    /** Nothing of it is in memory any more; to be called once. */
    void release() {
      bytes.addAndGet(-heapBytes);
    }

    /** Ends it if it has not been served, as when the client went away. */
    void close() {
      if (listener != null) {
        listener.onIgnore();
        listener = null;
      }
      if (!handedOver) {
        handedOver = true;
        release();
      }
    }
  }
}
