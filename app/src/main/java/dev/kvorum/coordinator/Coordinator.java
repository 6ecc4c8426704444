package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.deadlines.DeadlineQueues;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.Replicas;
import dev.kvorum.tracing.TraceContext;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Coordinates clients' reads, writes and ranges on one event loop. Each event loop has one
 * coordinator; coordinators share only the clock and the store.
 */
public final class Coordinator {
  private static final ReadOutcome FENCED = new ReadOutcome.Rejected(RejectReason.FENCED);

  private final RequestContext context;
  private final PauseDetector pauseDetector;

  public Coordinator(
      CoordinatorSettings settings,
      Supplier<Layout> layouts,
      Replicas replicas,
      HybridLogicalClock clock,
      ScheduledExecutorService loop,
      Meters meters) {
    LongSupplier nanoTime = replicas.nanoTime();
    this.context =
        new RequestContext(
            settings,
            replicas,
            layouts,
            clock,
            loop,
            nanoTime,
            meters,
            new DeadlineQueues(nanoTime, loop::schedule),
            new HedgeBudget(settings.hedgesPerRead()));
    this.pauseDetector =
        new PauseDetector(nanoTime, settings.pauseMax(), settings.requestTimeout());
  }

  /**
   * Detects pauses of the loop; call it on the loop every few milliseconds.
   *
   * @return duration of the pause in nanoseconds, or 0 when there was none longer than the bound
   */
  public long tick() {
    return pauseDetector.tick();
  }

  /** Writes a key outside any trace; otherwise like the other {@code write}. */
  public Mono<WriteOutcome> write(Key key, Quorum quorum, Change change, Runnable finished) {
    return write(key, quorum, change, null, finished);
  }

  /**
   * Writes a key. Subscribe on this coordinator's loop. The write continues when the subscription
   * is cancelled.
   *
   * @param trace trace of the request, or null; only a sampled trace is passed on
   * @param finished run once the write holds no memory any more, which may be after the response
   */
  public Mono<WriteOutcome> write(
      Key key, Quorum quorum, Change change, @Nullable TraceContext trace, Runnable finished) {
    return Mono.create(sink -> {
      long nowNanos = context.nanoTime().getAsLong();
      if (isFenced() || pauseDetector.mayBeOld(nowNanos)) {
        finished.run();
        sink.success(
            new WriteOutcome.Rejected(isFenced() ? RejectReason.FENCED : RejectReason.EXPIRED));
        return;
      }
      HybridLogicalClock clock = context.clock();
      Version version = clock.next();
      boolean full = change instanceof Change.Put && context.replicas().isDiskNearlyFull();
      if (full || version == null) {
        finished.run();
        sink.success(new WriteOutcome.Rejected(full ? RejectReason.DISK_FULL : clock.whyNone()));
        return;
      }
      Mutation mutation =
          new Mutation(key, change.record(version, quorum.from(), clock::correctedMillis));
      new WriteOperation(
              context,
              quorum,
              mutation,
              trace,
              context.deadlineNanos(nowNanos),
              new WriteResponse(sink, quorum, finished))
          .start();
    });
  }

  /** Responds to the client of one write. */
  private final class WriteResponse implements WriteOperation.Listener {
    private final MonoSink<WriteOutcome> sink;
    private final Quorum quorum;
    private final Runnable finished;

    WriteResponse(MonoSink<WriteOutcome> sink, Quorum quorum, Runnable finished) {
      this.sink = sink;
      this.quorum = quorum;
      this.finished = finished;
    }

    @Override
    public void decided(WriteOutcome outcome) {
      sink.success(isFenced() ? unsure(outcome) : outcome);
    }

    /**
     * Downgrades an acknowledgement: if this process was fenced meanwhile, what replicas confirmed
     * may be lost with it.
     */
    private WriteOutcome unsure(WriteOutcome outcome) {
      return outcome instanceof WriteOutcome.Acknowledged
          ? new WriteOutcome.Indeterminate(quorum, List.of())
          : outcome;
    }

    @Override
    public void finished() {
      finished.run();
    }
  }

  /**
   * Returns whether this process rejects all requests because another process of its member is
   * running. Safe for any thread.
   */
  public boolean isFenced() {
    return context.replicas().isFenced();
  }

  /** Reads a key outside any trace; otherwise like the other {@code read}. */
  public Mono<ReadOutcome> read(Key key, Quorum quorum, ReadMemory memory) {
    return read(key, quorum, null, memory);
  }

  /**
   * Reads a key. Subscribe on this coordinator's loop. Cancelling stops the read.
   *
   * @param trace trace of the request, or null; only a sampled trace is passed on
   * @param memory grants memory for the values that replicas send
   */
  public Mono<ReadOutcome> read(
      Key key, Quorum quorum, @Nullable TraceContext trace, ReadMemory memory) {
    return Mono.create(sink -> {
      if (isFenced()) {
        sink.success(FENCED);
        return;
      }
      context.hedges().onRead();
      Consumer<ReadOutcome> respond = outcome -> sink.success(isFenced() ? FENCED : outcome);
      ReadOperation read = new ReadOperation(context, key, quorum, trace, memory, respond);
      sink.onCancel(read::cancel);
      read.start();
    });
  }

  /**
   * Asks all replicas of a key what they have. Subscribe on this coordinator's loop. Replies after
   * the request timeout at the latest; cancelling stops it.
   *
   * @param memory grants memory for the values that replicas send
   */
  public Mono<KeyReport> explain(Key key, Quorum quorum, ReadMemory memory) {
    return Mono.create(sink -> {
      ExplainOperation explain = new ExplainOperation(context, key, quorum, memory, sink::success);
      sink.onCancel(explain::cancel);
      explain.start();
    });
  }

  /**
   * Reads a range. Subscribe and request parts on this coordinator's loop. Parts are built on
   * demand, from pages; each member has at most one page in flight. Cancelling stops the read.
   */
  public Flux<RangePart> range(RangeQuery query, RangeSettings bounds) {
    return Flux.create(
        sink -> {
          RangeRead read = new RangeRead(context, query, bounds, sink);
          sink.onCancel(read::stop);
          sink.onRequest(more -> read.advance());
        },
        FluxSink.OverflowStrategy.ERROR);
  }
}
