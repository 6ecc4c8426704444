package dev.kvorum.coordinator;

import dev.kvorum.coordinator.RangeTracker.Standing;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;

/**
 * One range under way: fetches the members' pages ahead of the client by half a page each, tries
 * failed ones again, and hands on what its tracker makes of them as fast as the client takes it.
 */
final class RangeRead {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  // A page is tried this often at least, so that one lost message does not lose the member.
  private static final int ATTEMPTS_MIN = 3;
  // A page for few records asks for some more, since tombstones and leftovers are not counted.
  private static final int SPARE_RECORDS = 16;

  private final Replicas replicas;
  private final ScheduledExecutorService loop;
  private final HybridLogicalClock clock;
  private final LongSupplier nanoTime;
  private final Supplier<SlotMap> placement;
  private final Meters meters;
  private final RangeSettings settings;
  private final FluxSink<RangePart> sink;

  private final SlotMap slots;
  private final RangeTracker tracker;
  private final List<Fetch> fetches = new ArrayList<>();
  private boolean advancing;
  private boolean changed;
  private boolean over;

  RangeRead(
      Replicas replicas,
      ScheduledExecutorService loop,
      HybridLogicalClock clock,
      LongSupplier nanoTime,
      Supplier<SlotMap> placement,
      Meters meters,
      RangeQuery query,
      RangeSettings settings,
      FluxSink<RangePart> sink) {
    this.replicas = replicas;
    this.loop = loop;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.placement = placement;
    this.meters = meters;
    this.settings = settings;
    this.sink = sink;
    this.slots = placement.get();
    RangeVotes votes =
        switch (query.scope()) {
          case CLUSTER -> RangeVotes.ofAll(slots, settings.replication(), replicas.self());
          case NODE -> RangeVotes.ofOne(replicas.self());
        };
    this.tracker = new RangeTracker(votes, query.keys(), query.recordsMax());
    if (!query.isEmpty()) {
      for (int i = 0; i < votes.members().size(); i++) {
        fetches.add(new Fetch(i));
      }
    }
  }

  /** Goes on as far as what has come and what the client takes allow. */
  void advance() {
    if (advancing) {
      changed = true;
      return;
    }
    // Pages from memory come while they are asked for; they are looked at afterwards.
    advancing = true;
    do {
      changed = false;
      step();
    } while (changed && !over);
    advancing = false;
  }

  private void step() {
    if (fetches.isEmpty()) {
      end();
      return;
    }
    askDue();
    while (!over && sink.requestedFromDownstream() > 0) {
      List<Mutation> records =
          tracker.take(clock.wallMillis(), settings.pageRecords(), settings.pageBytes());
      if (!records.isEmpty()) {
        meters.rangeRecords(records.size());
        sink.next(new RangePart.Records(records));
      } else if (tracker.standing() == Standing.OPEN) {
        return;
      } else {
        end();
      }
      askDue();
    }
  }

  private void end() {
    if (over) {
      return;
    }
    over = true;
    boolean complete = tracker.standing() != Standing.INCOMPLETE;
    meters.rangeRead(complete);
    fetches.forEach(Fetch::stop);
    if (!complete) {
      sink.next(new RangePart.Incomplete(tracker.answers()));
    }
    sink.complete();
  }

  /** Stops for a client that is gone. */
  void stop() {
    if (!over) {
      over = true;
      meters.rangeCancelled();
      fetches.forEach(Fetch::stop);
    }
  }

  private void askDue() {
    ScanLimits page = limits();
    for (Fetch fetch : fetches) {
      if (!over && tracker.standing() == Standing.OPEN && fetch.source.isDue(page)) {
        fetch.begin();
      }
    }
  }

  private ScanLimits limits() {
    long wanted = Math.max(tracker.recordsLeft(), SPARE_RECORDS);
    return new ScanLimits((int) Math.min(wanted, settings.pageRecords()), settings.pageBytes());
  }

  /** The page of one member that is under way, or that is tried again after a pause. */
  private final class Fetch {
    private final int number;
    private final RangeSource source;
    private long deadlineNanos;
    private long pauseNanos;
    private Transport.Call call = Transport.Call.DONE;
    private @Nullable ScheduledFuture<?> retry;

    Fetch(int number) {
      this.number = number;
      this.source = tracker.sources().get(number);
    }

    void begin() {
      source.onAsked();
      deadlineNanos = nanoTime.getAsLong() + settings.pageTimeout().toNanos();
      pauseNanos = FIRST_PAUSE_NANOS;
      // It would be waited for in vain, most likely.
      if (replicas.isSuspect(source.member()) && tracker.canSpare(number)) {
        lose(Refusal.UNREACHABLE);
      } else {
        ask();
      }
    }

    private void ask() {
      retry = null;
      if (placement.get() != slots) {
        // Who holds what has changed under this range; the client goes on with the new map.
        lose(Refusal.STALE_EPOCH);
        return;
      }
      long attemptNanos = settings.pageTimeout().toNanos() / ATTEMPTS_MIN;
      long now = nanoTime.getAsLong();
      call =
          replicas.ask(
              source.member(),
              new ReplicaRequest.Scan(source.rest(), limits()),
              now + Math.min(attemptNanos, deadlineNanos - now),
              this::on);
    }

    private void on(ReplicaReply reply) {
      if (over) {
        return;
      }
      switch (reply) {
        case ReplicaReply.Page page -> {
          tracker.onPage(number, page.records(), page.next());
          advance();
        }
        case ReplicaReply.Failed failed -> failed(failed.reason());
        case ReplicaReply.Looked _,
            ReplicaReply.Wrote _,
            ReplicaReply.HintsDelivered _,
            SyncReply _ ->
            lose(Refusal.STORAGE_FAILED);
      }
    }

    private void failed(Refusal reason) {
      MemberId member = source.member();
      long left = deadlineNanos - nanoTime.getAsLong() - pauseNanos;
      boolean spared = replicas.isSuspect(member) && tracker.canSpare(number);
      if (reason == Refusal.REBUILDING || spared || left <= 0) {
        lose(reason);
      } else {
        retry = loop.schedule(this::ask, pauseNanos, TimeUnit.NANOSECONDS);
        pauseNanos *= 2;
      }
    }

    private void lose(Refusal reason) {
      tracker.onLost(number, reason);
      advance();
    }

    void stop() {
      call.cancel();
      if (retry != null) {
        retry.cancel(false);
      }
    }
  }
}
