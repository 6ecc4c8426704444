package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.replica.Replicas;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * Takes the requests of clients on one event loop and sees each through to its quorum. There is one
 * on every loop; they share nothing but the clock and the store.
 */
public final class Coordinator {
  private final CoordinatorSettings settings;
  private final Supplier<SlotMap> placement;
  private final Replicas replicas;
  private final HybridLogicalClock clock;
  private final ScheduledExecutorService loop;
  private final LongSupplier nanoTime;
  private final Meters meters;
  private final HedgeBudget hedges;

  public Coordinator(
      CoordinatorSettings settings,
      Supplier<SlotMap> placement,
      Replicas replicas,
      HybridLogicalClock clock,
      ScheduledExecutorService loop,
      LongSupplier nanoTime,
      Meters meters) {
    this.settings = settings;
    this.placement = placement;
    this.replicas = replicas;
    this.clock = clock;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.meters = meters;
    this.hedges = new HedgeBudget(settings.hedgesPerRead());
  }

  /**
   * Writes a key; to be subscribed to on this coordinator's loop. The write goes on when the
   * subscriber leaves.
   *
   * @param finished run once nothing of the write is kept in memory any more, which may be after
   *     the answer
   */
  public Mono<WriteOutcome> write(Key key, Quorum quorum, Change change, Runnable finished) {
    return Mono.create(sink -> {
      Version version = clock.next();
      boolean full = change instanceof Change.Put && replicas.isDiskNearlyFull();
      if (full || version == null) {
        finished.run();
        sink.success(new WriteOutcome.Rejected(full ? Refusal.DISK_FULL : Refusal.CLOCK_AHEAD));
        return;
      }
      List<MemberId> targets = placement.get().preferenceList(key).replicas(quorum.from());
      Mutation mutation =
          new Mutation(key, change.record(version, quorum.from(), clock.wallMillis()));
      new WriteOperation(
              replicas,
              clock,
              meters,
              quorum,
              targets,
              mutation,
              deadlineNanos(),
              sink::success,
              finished)
          .start();
    });
  }

  /**
   * Reads a key; to be subscribed to on this coordinator's loop. Cancelling stops the read.
   *
   * @param memory gives room for the values that come in
   */
  public Mono<ReadOutcome> read(Key key, Quorum quorum, ReadMemory memory) {
    return Mono.create(sink -> {
      hedges.onRead();
      List<MemberId> preference = placement.get().preferenceList(key).replicas(quorum.from());
      ReadOperation read =
          new ReadOperation(
              replicas,
              loop,
              clock,
              meters,
              hedges,
              key,
              quorum,
              preference,
              inOrder(preference),
              deadlineNanos(),
              memory,
              sink::success);
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
          RangeRead read =
              new RangeRead(
                  replicas, loop, clock, nanoTime, placement, meters, query, bounds, sink);
          sink.onCancel(read::stop);
          sink.onRequest(more -> read.advance());
        },
        FluxSink.OverflowStrategy.ERROR);
  }

  /**
   * This node first, for it needs no network; then the others by their names, beginning after this
   * node's own, so that what one node asks in a turn of its loop goes to few peers, and what all
   * ask is spread; last those that are suspect.
   */
  private MemberId[] inOrder(List<MemberId> list) {
    MemberId[] ordered = list.toArray(MemberId[]::new);
    for (int i = 1; i < ordered.length; i++) {
      MemberId member = ordered[i];
      int at = i;
      for (; at > 0 && isAskedBefore(member, ordered[at - 1]); at--) {
        ordered[at] = ordered[at - 1];
      }
      ordered[at] = member;
    }
    return ordered;
  }

  private boolean isAskedBefore(MemberId one, MemberId other) {
    boolean suspect = replicas.isSuspect(one);
    if (suspect != replicas.isSuspect(other)) {
      return !suspect;
    }
    MemberId self = replicas.self();
    boolean behind = one.compareTo(self) < 0;
    boolean otherBehind = other.compareTo(self) < 0;
    return behind == otherBehind ? one.compareTo(other) < 0 : otherBehind;
  }

  private long deadlineNanos() {
    return nanoTime.getAsLong() + settings.requestTimeout().toNanos();
  }
}
