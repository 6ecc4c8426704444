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

/**
 * Coordinates clients' reads, writes and ranges on one event loop. Each event loop has one
 * coordinator; coordinators share only the clock and the store.
 */
public final class Coordinator {
  private static final ReadOutcome FENCED = new ReadOutcome.Rejected(RejectReason.FENCED);

  private final CoordinatorSettings settings;
  private final RequestContext context;
  private final PauseDetector pauseDetector;

  public Coordinator(
      CoordinatorSettings settings,
      Supplier<Layout> layouts,
      Replicas replicas,
      HybridLogicalClock clock,
      ScheduledExecutorService loop,
      LongSupplier nanoTime,
      Meters meters) {
    this.settings = settings;
    this.context =
        new RequestContext(
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
      Consumer<WriteOutcome> respond =
          outcome -> sink.success(isFenced() ? unsure(quorum, outcome) : outcome);
      long deadlineNanos = nowNanos + settings.requestTimeout().toNanos();
      new WriteOperation(context, quorum, mutation, trace, deadlineNanos, respond, finished)
          .start();
    });
  }

  /**
   * Downgrades an acknowledgement: if this process was fenced meanwhile, what replicas confirmed
   * may be lost with it.
   */
  private static WriteOutcome unsure(Quorum quorum, WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Acknowledged
        ? new WriteOutcome.Indeterminate(quorum, List.of())
        : outcome;
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
      ReadOperation read =
          new ReadOperation(context, key, quorum, trace, deadlineNanos(), memory, respond);
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
      ExplainOperation explain =
          new ExplainOperation(context, key, quorum, deadlineNanos(), memory, sink::success);
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
          RangeRead read = new RangeRead(context, query, settings.replication(), bounds, sink);
          sink.onCancel(read::stop);
          sink.onRequest(more -> read.advance());
        },
        FluxSink.OverflowStrategy.ERROR);
  }

  private long deadlineNanos() {
    return context.nanoTime().getAsLong() + settings.requestTimeout().toNanos();
  }
}
