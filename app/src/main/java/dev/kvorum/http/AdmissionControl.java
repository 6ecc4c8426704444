package dev.kvorum.http;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.kvorum.coordinator.ReadMemory;
import java.util.Optional;
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
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A control that starts with the lowest number of requests.
   *
   * @param inFlightMin requests of a kind that are always taken
   * @param inFlightMax requests of a kind that are taken at most
   * @param bytesMax memory for the values of reads and writes under way
   */
  public AdmissionControl(int inFlightMin, int inFlightMax, long bytesMax) {
    this.reads = limiter(inFlightMin, inFlightMax);
    this.writes = limiter(inFlightMin, inFlightMax);
    this.bytesMax = bytesMax;
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

  /** Takes a read on, or says no with null. What it brings into memory is counted as it comes. */
  @Nullable Permit read() {
    return permit(reads, 0);
  }

  /**
   * Takes a write on, or says no with null.
   *
   * @param heapBytes what it keeps in memory until {@link Permit#forget}
   */
  @Nullable Permit write(long heapBytes) {
    if (!take(heapBytes)) {
      return null;
    }
    Permit permit = permit(writes, heapBytes);
    if (permit == null) {
      bytes.addAndGet(-heapBytes);
    }
    return permit;
  }

  private boolean take(long more) {
    if (bytes.addAndGet(more) > bytesMax) {
      bytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  private @Nullable Permit permit(SimpleLimiter<Void> limiter, long heapBytes) {
    Optional<Limiter.Listener> listener = limiter.acquire(null);
    return listener.isPresent() ? new Permit(listener.get(), heapBytes) : null;
  }

  /** A request that was taken on. To be used on the loop that took it, but for {@link #forget}. */
  final class Permit implements ReadMemory {
    private final Limiter.Listener listener;
    private long heapBytes;
    private boolean answered;
    private boolean handedOver;

    private Permit(Limiter.Listener listener, long heapBytes) {
      this.listener = listener;
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

    /** It was answered; how long that took says how much more may be taken on. */
    void served() {
      if (!answered) {
        answered = true;
        listener.onSuccess();
      }
    }

    /** Its memory is now looked after by somebody who will call {@link #forget}. */
    void handOver() {
      handedOver = true;
    }

    /** Nothing of it is in memory any more; to be called once. */
    void forget() {
      bytes.addAndGet(-heapBytes);
    }

    /** Ends it if it has not been served, as when the client went away. */
    void close() {
      if (!answered) {
        answered = true;
        listener.onIgnore();
      }
      if (!handedOver) {
        handedOver = true;
        forget();
      }
    }
  }
}
