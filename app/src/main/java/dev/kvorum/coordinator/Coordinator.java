package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
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
 * Takes the requests of clients on one event loop and sees each through to its quorum. There is one
 * on every loop; they share nothing but the clock and the store.
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
    HedgeBudget hedges = new HedgeBudget(settings.hedgesPerRead());
    this.context = new RequestContext(replicas, layouts, clock, loop, nanoTime, meters, hedges);
    this.pauseDetector =
        new PauseDetector(nanoTime, settings.pauseMax(), settings.requestTimeout());
  }

  /**
   * To be called on the loop every few milliseconds, so that a pause of the loop is detected.
   *
   * @return for how long the loop paused, in nanoseconds; 0 when it was not long
   */
  public long tick() {
    return pauseDetector.tick();
  }

  /** Writes a key as a part of no trace, as the other one does. */
  public Mono<WriteOutcome> write(Key key, Quorum quorum, Change change, Runnable finished) {
    return write(key, quorum, change, null, finished);
  }

  /**
   * Writes a key; to be subscribed to on this coordinator's loop. The write continues when the
   * subscription is cancelled.
   *
   * @param trace that it is a part of, if it is; only a sampled one goes further
   * @param finished run once nothing of the write is kept in memory any more, which may be after
   *     the answer
   */
  public Mono<WriteOutcome> write(
      Key key, Quorum quorum, Change change, @Nullable TraceContext trace, Runnable finished) {
    return Mono.create(sink -> {
      if (isFenced() || pauseDetector.mayBeOld()) {
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
        sink.success(
            new WriteOutcome.Rejected(full ? RejectReason.DISK_FULL : RejectReason.CLOCK_AHEAD));
        return;
      }
      Mutation mutation =
          new Mutation(key, change.record(version, quorum.from(), clock.correctedMillis()));
      Consumer<WriteOutcome> answer =
          outcome -> sink.success(isFenced() ? unsure(quorum, outcome) : outcome);
      new WriteOperation(context, quorum, mutation, trace, deadlineNanos(), answer, finished)
          .start();
    });
  }

  /** What replicas confirmed to a process that was fenced meanwhile may be gone with it. */
  private static WriteOutcome unsure(Quorum quorum, WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Acknowledged
        ? new WriteOutcome.Indeterminate(quorum, List.of())
        : outcome;
  }

  /**
   * Whether this process refuses all requests because another one of its member runs. Any thread
   * may ask.
   */
  public boolean isFenced() {
    return context.replicas().isFenced();
  }

  /** Reads a key as a part of no trace, as the other one does. */
  public Mono<ReadOutcome> read(Key key, Quorum quorum, ReadMemory memory) {
    return read(key, quorum, null, memory);
  }

  /**
   * Reads a key; to be subscribed to on this coordinator's loop. Cancelling stops the read.
   *
   * @param trace that it is a part of, if it is; only a sampled one goes further
   * @param memory gives room for the values that come in
   */
  public Mono<ReadOutcome> read(
      Key key, Quorum quorum, @Nullable TraceContext trace, ReadMemory memory) {
    return Mono.create(sink -> {
      if (isFenced()) {
        sink.success(FENCED);
        return;
      }
      context.hedges().onRead();
      Consumer<ReadOutcome> answer = outcome -> sink.success(isFenced() ? FENCED : outcome);
      ReadOperation read =
          new ReadOperation(context, key, quorum, trace, deadlineNanos(), memory, answer);
      sink.onCancel(read::cancel);
      read.start();
    });
  }

  /**
   * Reads a range; to be subscribed to and asked for parts on this coordinator's loop. Parts are
   * made as they are asked for, from pages of which each member has one under way at most.
   * Cancelling stops the read.
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
