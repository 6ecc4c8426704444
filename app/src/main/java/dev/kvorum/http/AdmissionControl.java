package dev.kvorum.http;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.kvorum.auth.RequestBytes;
import dev.kvorum.coordinator.ReadMemory;
import dev.kvorum.metrics.Meters;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether to admit a request before any work is done for it. Two limits apply: the number
 * of requests in flight, which follows their latency, and the memory for their bytes.
 *
 * <p>The number follows the latency ({@code LatencyGradientLimit}): it grows while requests are as
 * fast as usual and shrinks when they queue up. Reads and writes have separate limits, since their
 * latencies differ. Safe for use by many threads.
 */
public final class AdmissionControl {
  private final Kind reads;
  private final Kind writes;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  /**
   * Creates an admission control that starts with the lowest limit.
   *
   * @param inFlightMin lower bound of the limit for reads and of the limit for writes
   * @param inFlightMax upper bound of either limit
   * @param bytesMax memory in bytes for the values of reads and writes in flight
   */
  public AdmissionControl(int inFlightMin, int inFlightMax, long bytesMax, Meters meters) {
    this(inFlightMin, inFlightMax, bytesMax, meters, System::nanoTime);
  }

  AdmissionControl(
      int inFlightMin, int inFlightMax, long bytesMax, Meters meters, LongSupplier nanoTime) {
    this.reads =
        new Kind(new LatencyGradientLimit(inFlightMin, inFlightMax), nanoTime, meters::readShed);
    this.writes =
        new Kind(new LatencyGradientLimit(inFlightMin, inFlightMax), nanoTime, meters::writeShed);
    this.bytesMax = bytesMax;
  }

  /** Reads, or writes. */
  private static final class Kind {
    final SimpleLimiter<Void> limiter;
    final Runnable shed;
    private final LatencyGradientLimit limit;

    Kind(LatencyGradientLimit limit, LongSupplier nanoTime, Runnable shed) {
      this.limit = limit;
      this.limiter =
          SimpleLimiter.newBuilder()
              .limit(WindowedLimit.newBuilder().build(limit))
              .nanoClock(nanoTime)
              .build();
      this.shed = shed;
    }

    /** Counts one more in flight; null if there are as many as the limit allows. */
    Limiter.@Nullable Listener acquire() {
      Limiter.Listener listener = limiter.acquire(null).orElse(null);
      if (listener == null) {
        limit.rejected();
      }
      return listener;
    }

    /** Whether as many are in flight as the limit allows, so that one more is rejected. */
    boolean isFull() {
      boolean isFull = limiter.getInflight() >= limiter.getLimit();
      if (isFull) {
        limit.rejected();
      }
      return isFull;
    }
  }

  /** Stops admitting requests. */
  public void close() {
    closed = true;
  }

  /** Returns whether this node has stopped admitting requests. */
  boolean isClosed() {
    return closed;
  }

  /** Number of admitted requests without a complete response. */
  public int inFlight() {
    return readsInFlight() + writesInFlight();
  }

  /** Number of reads in flight. */
  public int readsInFlight() {
    return reads.limiter.getInflight();
  }

  /** Number of writes in flight. */
  public int writesInFlight() {
    return writes.limiter.getInflight();
  }

  /** Current limit of reads in flight. */
  public int readsMax() {
    return reads.limiter.getLimit();
  }

  /** Current limit of writes in flight. */
  public int writesMax() {
    return writes.limiter.getLimit();
  }

  /** Memory that requests in flight use, in bytes. */
  public long bytes() {
    return bytes.get();
  }

  /**
   * Admits a read, or returns null. The values that it loads are counted as they arrive.
   *
   * @param ofUser takes the same bytes of the user's limit; knows whether it was that
   */
  @Nullable Permit read(RequestBytes ofUser) {
    if (!ofUser.take(0)) {
      return null;
    }
    Permit permit = new Permit(reads, 0, ofUser);
    return permit.begin() ? permit : null;
  }

  /**
   * Reserves memory for a write, or returns null. {@link Permit#begin} admits the write once its
   * value has arrived. The time that a client takes to send the value is no measure of this node's
   * load, and slow clients must not block others.
   *
   * @param heapBytes bytes that the write uses until {@link Permit#release}
   * @param ofUser takes the same bytes of the user's limit; knows whether it was that
   */
  @Nullable Permit write(long heapBytes, RequestBytes ofUser) {
    if (!ofUser.take(heapBytes)) {
      return null;
    }
    if (closed || writes.isFull() || !take(heapBytes)) {
      ofUser.release();
      writes.shed.run();
      return null;
    }
    return new Permit(writes, heapBytes, ofUser);
  }

  private boolean take(long more) {
    if (bytes.addAndGet(more) > bytesMax) {
      bytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  /** An admitted request. Confined to the event loop that created it, except {@link #release}. */
  final class Permit implements ReadMemory {
    private final Kind kind;
    private final RequestBytes ofUser;
    private long heapBytes;
    private Limiter.@Nullable Listener listener;
    private boolean handedOver;

    private Permit(Kind kind, long heapBytes, RequestBytes ofUser) {
      this.kind = kind;
      this.ofUser = ofUser;
      this.heapBytes = heapBytes;
    }

    @Override
    public boolean take(long more) {
      if (!ofUser.take(more)) {
        return false;
      }
      if (!AdmissionControl.this.take(more)) {
        kind.shed.run();
        return false;
      }
      heapBytes += more;
      return true;
    }

    /** Memory that the request uses, in bytes. */
    long heapBytes() {
      return heapBytes;
    }

    /** Counts the request as in flight. Returns false when the limit is reached. */
    boolean begin() {
      listener = closed ? null : kind.acquire();
      if (listener == null) {
        kind.shed.run();
      }
      return listener != null;
    }

    /** Ends a request with a response; its latency adjusts the limit. */
    void served() {
      if (listener != null) {
        listener.onSuccess();
        listener = null;
      }
    }

    /** Hands the memory over to an owner that will call {@link #release}. */
    void handOver() {
      handedOver = true;
    }

    /** Releases the memory of the request; call it once. */
    void release() {
      bytes.addAndGet(-heapBytes);
      ofUser.release();
    }

    /** Ends the request if it has not been served, for example after the client disconnected. */
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
