package dev.kvorum.coordinator;

import dev.kvorum.coordinator.RangeMerger.Status;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;

/**
 * Runs one range read. It prefetches each member's pages by half a page, retries failed pages, and
 * emits the records that {@link RangeMerger} merges, at the rate at which the client reads.
 */
final class RangeRead {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  // Minimum attempts per page, so that one lost message does not lose the member.
  private static final int ATTEMPTS_MIN = 3;
  // Extra records per page, since pages may contain tombstones and leftovers that do not count.
  private static final int SPARE_RECORDS = 16;

  private final RequestContext context;
  private final RangeQuery query;
  private final RangeSettings settings;
  private final FluxSink<RangePart> sink;

  private Layout layout;
  private RangeMerger merger;
  private List<Fetch> fetches = List.of();
  private @Nullable Key last;
  private boolean advancing;
  private boolean changed;
  private boolean over;

  RangeRead(
      RequestContext context, RangeQuery query, RangeSettings settings, FluxSink<RangePart> sink) {
    this.context = context;
    this.query = query;
    this.settings = settings;
    this.sink = sink;
    this.layout = context.layouts().get();
    this.merger = merger(query.keys(), query.recordsMax());
    this.fetches = fetches();
  }

  private RangeMerger merger(KeyRange keys, long recordsMax) {
    MemberId self = context.replicas().self();
    RangeVotes votes =
        switch (query.scope()) {
          case CLUSTER ->
              RangeVotes.ofAll(layout.readMaps(), context.settings().replication(), self);
          case NODE -> RangeVotes.ofOne(self);
        };
    return new RangeMerger(votes, keys, query.order(), recordsMax);
  }

  private List<Fetch> fetches() {
    List<Fetch> all = new ArrayList<>();
    if (!query.isEmpty()) {
      for (RangeSource source : merger.sources()) {
        all.add(new Fetch(all.size(), source));
      }
    }
    return all;
  }

  /** Plans the rest of the range by a newer layout, since the replicas of its keys have changed. */
  private void replan() {
    fetches.forEach(Fetch::stop);
    layout = context.layouts().get();
    KeyRange rest = last == null ? query.keys() : query.order().rest(query.keys(), last);
    merger = merger(rest, merger.recordsLeft());
    fetches = fetches();
    changed = true;
    advance();
  }

  /** Advances as far as the received pages and the client's demand allow. */
  void advance() {
    if (advancing) {
      changed = true;
      return;
    }
    // Pages from memory may arrive during the request for them; the loop below handles them.
    advancing = true;
    try {
      do {
        changed = false;
        step();
      } while (changed && !over);
    } catch (RuntimeException e) {
      // Without this, the subscriber would wait forever.
      stop();
      sink.error(e);
    } finally {
      advancing = false;
    }
  }

  private void step() {
    if (fetches.isEmpty()) {
      end();
      return;
    }
    askDue();
    while (!over && sink.requestedFromDownstream() > 0) {
      List<Mutation> records =
          merger.take(
              context.clock().correctedMillis(), settings.pageRecords(), settings.pageBytesMax());
      if (!records.isEmpty()) {
        last = records.getLast().key();
        context.meters().rangeRecords(records.size());
        sink.next(new RangePart.Records(records));
      } else if (merger.status() == Status.OPEN) {
        // Pages that contain only tombstones may have been consumed.
        askDue();
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
    boolean complete = merger.status() != Status.INCOMPLETE;
    context.meters().rangeRead(complete);
    fetches.forEach(Fetch::stop);
    if (!complete) {
      sink.next(new RangePart.Incomplete(merger.replies()));
    }
    sink.complete();
  }

  /** Stops because the client has disconnected. */
  void stop() {
    if (!over) {
      over = true;
      context.meters().rangeCancelled();
      fetches.forEach(Fetch::stop);
    }
  }

  private void askDue() {
    ScanLimits page = limits();
    for (Fetch fetch : fetches) {
      if (!over && merger.status() == Status.OPEN && fetch.source.isDue(page)) {
        fetch.begin();
      }
    }
  }

  private ScanLimits limits() {
    long wanted = Math.max(merger.recordsLeft(), SPARE_RECORDS);
    return new ScanLimits((int) Math.min(wanted, settings.pageRecords()), settings.pageBytesMax());
  }

  /** The page of one member that is in flight or waits for a retry. */
  private final class Fetch {
    private final int number;
    private final RangeSource source;
    private long deadlineNanos;
    private long pauseNanos;
    private Transport.Call call = Transport.Call.DONE;
    private @Nullable ScheduledFuture<?> retry;
    private boolean stopped;

    Fetch(int number, RangeSource source) {
      this.number = number;
      this.source = source;
    }

    void begin() {
      if (stopped) {
        return;
      }
      source.onAsked();
      deadlineNanos = context.nanoTime().getAsLong() + settings.pageTimeout().toNanos();
      pauseNanos = FIRST_PAUSE_NANOS;
      // A suspect member would most likely not reply.
      if (context.replicas().isSuspect(source.member()) && merger.canSpare(number)) {
        lose(RejectReason.UNREACHABLE);
      } else {
        ask();
      }
    }

    private void ask() {
      retry = null;
      if (context.layouts().get() != layout) {
        replan();
        return;
      }
      long attemptNanos = settings.pageTimeout().toNanos() / ATTEMPTS_MIN;
      long now = context.nanoTime().getAsLong();
      call =
          context
              .replicas()
              .ask(
                  source.member(),
                  new ReplicaRequest.Scan(source.rest(), query.order(), limits()),
                  layout.epoch(),
                  now + Math.min(attemptNanos, deadlineNanos - now),
                  this::on);
    }

    private void on(ReplicaReply reply) {
      if (over || stopped) {
        return;
      }
      switch (reply) {
        case ReplicaReply.Page page -> {
          merger.onPage(number, page.records(), page.next());
          advance();
        }
        case ReplicaReply.Failed failed -> failed(failed.reason());
        case ReplicaReply.ReadReply _,
            ReplicaReply.WriteReply _,
            ReplicaReply.HintsDelivered _,
            RepairReply _,
            TransferReply _ ->
            lose(RejectReason.STORAGE_FAILED);
      }
    }

    private void failed(RejectReason reason) {
      MemberId member = source.member();
      long left = deadlineNanos - context.nanoTime().getAsLong() - pauseNanos;
      boolean spared = context.replicas().isSuspect(member) && merger.canSpare(number);
      if (reason == RejectReason.REBUILDING || spared || left <= 0) {
        lose(reason);
      } else {
        retry = context.loop().schedule(this::ask, pauseNanos, TimeUnit.NANOSECONDS);
        pauseNanos *= 2;
      }
    }

    private void lose(RejectReason reason) {
      merger.onLost(number, reason);
      advance();
    }

    void stop() {
      stopped = true;
      call.cancel();
      if (retry != null) {
        retry.cancel(false);
      }
    }
  }
}
