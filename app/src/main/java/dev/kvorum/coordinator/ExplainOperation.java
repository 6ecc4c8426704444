package dev.kvorum.coordinator;

import dev.kvorum.coordinator.KeyReport.Copy;
import dev.kvorum.coordinator.KeyReport.Result;
import dev.kvorum.coordinator.ReadTracker.Status;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.TypedValue;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.placement.Slots;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Asks all replicas of a key for their records, and waits for each of them. Repairs nothing. */
final class ExplainOperation {
  private static final ReadResult TOO_LARGE = new ReadResult.Unknown(RejectReason.OVERLOADED);

  private final RequestContext context;
  private final Key key;
  private final Quorum quorum;
  private final long deadlineNanos;
  private final ReadMemory memory;
  private final Consumer<KeyReport> respond;
  private boolean over;

  ExplainOperation(
      RequestContext context,
      Key key,
      Quorum quorum,
      ReadMemory memory,
      Consumer<KeyReport> respond) {
    this.context = context;
    this.key = key;
    this.quorum = quorum;
    this.deadlineNanos = context.deadlineNanos();
    this.memory = memory;
    this.respond = respond;
  }

  void start() {
    new Attempt(context.layouts().get()).start();
  }

  void cancel() {
    over = true;
  }

  /** The replies of all replicas in one epoch. */
  private final class Attempt {
    private final Layout layout;
    private final ReplicaPlan all;
    private final ReplicaPlan reads;
    private final ReadTracker tracker;
    private final SortedMap<Integer, Copy> copies = new TreeMap<>();
    private boolean dropped;

    Attempt(Layout layout) {
      this.layout = layout;
      this.all = layout.writes(key, quorum.from());
      this.reads = layout.reads(key, quorum.from());
      this.tracker = new ReadTracker(reads, quorum.ack());
    }

    void start() {
      for (int i = 0; i < all.size(); i++) {
        int replica = i;
        context
            .replicas()
            .ask(
                all.replicas().get(replica),
                new ReplicaRequest.Read(key, Detail.RECORD),
                all.epoch(),
                deadlineNanos,
                reply -> on(replica, reply));
      }
    }

    private void on(int replica, ReplicaReply reply) {
      if (over || dropped) {
        return;
      }
      if (ReplicaReply.STALE_EPOCH.equals(reply) && !context.isOver(deadlineNanos)) {
        dropped = true;
        LayoutAwaiter.await(
            context, all.epoch(), deadlineNanos, next -> again(next), () -> again(layout));
        return;
      }
      add(replica, ReplyMapper.lookup(reply));
      if (copies.size() == all.size()) {
        over = true;
        respond.accept(report());
      }
    }

    private void again(Layout next) {
      if (!over) {
        new Attempt(next).start();
      }
    }

    private void add(int replica, ReadResult result) {
      Versioned record = null;
      int bytes = 0;
      ReadResult kept = result;
      if (result instanceof ReadResult.Found found) {
        bytes = TypedValue.contentBytes(found.record());
        if (memory.take(bytes)) {
          record = found.record().head();
          kept = new ReadResult.Found(record);
        } else {
          kept = TOO_LARGE;
          bytes = 0;
        }
      }
      MemberId member = all.replicas().get(replica);
      int asRead = reads.replicas().indexOf(member);
      if (asRead >= 0) {
        tracker.on(asRead, kept);
      }
      long hints = context.replicas().hintsFor(member);
      ReplicaOutcome outcome = new ReplicaOutcome(member, ReadTracker.label(kept));
      copies.put(replica, new Copy(outcome, asRead >= 0, record, bytes, hints));
    }

    private KeyReport report() {
      return new KeyReport(
          Slots.of(key),
          all.epoch(),
          layout.topology().phase(),
          quorum,
          judged(),
          Optional.ofNullable(tracker.newest()),
          List.copyOf(copies.values()));
    }

    private Result judged() {
      Versioned newest = tracker.newest();
      if (tracker.status() != Status.COMPLETE) {
        return Result.NO_QUORUM;
      } else if (newest == null) {
        return Result.ABSENT;
      } else if (newest.tombstone()) {
        return Result.DELETED;
      }
      return newest.isLiveAt(context.clock().correctedMillis()) ? Result.VALUE : Result.EXPIRED;
    }
  }
}
