package dev.kvorum.coordinator;

import dev.kvorum.coordinator.ReadTracker.Status;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.deadlines.DeadlineList;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.tracing.TraceContext;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one read. It asks as many replicas as the quorum needs, and another one when a replica is
 * slow or fails. It repairs stale replicas before it responds to a quorum read. While it waits for
 * a replica that may turn out slow, it is in the queue of slow reads.
 */
final class ReadOperation extends DeadlineList.Entry {
  private final RequestContext context;
  private final Key key;
  private final Quorum quorum;
  private final @Nullable TraceContext trace;
  private final long deadlineNanos;
  private final ReadMemory memory;
  private final Consumer<ReadOutcome> respond;

  private Layout layout;
  private ReplicaPlan plan;
  private ReadTracker tracker;
  private Transport.@Nullable Call[] calls;
  // Replicas that were asked for the complete record and have not replied.
  private final BitSet fetching = new BitSet();
  private boolean replanning;
  private boolean advancing;
  private boolean changed;
  private boolean over;

  ReadOperation(
      RequestContext context,
      Key key,
      Quorum quorum,
      @Nullable TraceContext trace,
      ReadMemory memory,
      Consumer<ReadOutcome> respond) {
    this.context = context;
    this.key = key;
    this.quorum = quorum;
    this.trace = trace;
    this.deadlineNanos = context.deadlineNanos();
    this.memory = memory;
    this.respond = respond;
    this.layout = context.layouts().get();
    this.plan = ReplicaOrdering.of(layout.reads(key, quorum.from()), context.replicas());
    this.tracker = new ReadTracker(plan, quorum.ack());
    this.calls = new Transport.Call[plan.size()];
  }

  void start() {
    if (!over) {
      advance();
    }
  }

  /** Stops because the client has disconnected. */
  void cancel() {
    if (!over) {
      stop();
    }
  }

  private void advance() {
    // Replies from memory may arrive during the request; the loop below handles them.
    advancing = true;
    do {
      changed = false;
      step();
    } while (changed && !over);
    advancing = false;
  }

  private void step() {
    if (replanning) {
      return;
    }
    switch (tracker.status()) {
      case PENDING -> askMissing();
      case RECORD_MISSING -> fetchRecord();
      case COMPLETE -> complete();
      case FAILED -> finish(noQuorum());
    }
  }

  private void askMissing() {
    for (int next = tracker.askMissing(); next >= 0; next = tracker.askMissing()) {
      ask(next, fetching.isEmpty() && !tracker.hasRecord() ? Detail.RECORD : Detail.VERSION);
    }
    armHedge();
  }

  private void fetchRecord() {
    int holder = tracker.holder();
    if (!fetching.get(holder)) {
      leave();
      ask(holder, Detail.RECORD);
    }
    armHedge();
  }

  private void ask(int replica, Detail detail) {
    if (detail == Detail.RECORD) {
      fetching.set(replica);
    }
    ReadTracker attempt = tracker;
    Transport.Call call =
        context
            .replicas()
            .ask(
                plan.replicas().get(replica),
                new ReplicaRequest.Read(key, detail).within(trace),
                plan.epoch(),
                deadlineNanos,
                reply -> on(attempt, replica, reply));
    calls[replica] = call;
  }

  private void on(ReadTracker attempt, int replica, ReplicaReply reply) {
    if (over || attempt != tracker || replanning) {
      return;
    }
    if (ReplicaReply.STALE_EPOCH.equals(reply)) {
      replan();
      return;
    }
    ReadResult lookup = ReplyMapper.lookup(reply);
    fetching.clear(replica);
    if (lookup instanceof ReadResult.Found found && !memory.take(found.record().value().length)) {
      finish(new ReadOutcome.Rejected(RejectReason.OVERLOADED));
      return;
    }
    tracker.on(replica, lookup);
    changed = true;
    if (!advancing) {
      advance();
    }
  }

  /** Drops all replies and plans again, since a replica has a newer topology. */
  private void replan() {
    replanning = true;
    quieten();
    LayoutAwaiter.await(
        context,
        plan.epoch(),
        deadlineNanos,
        newer -> {
          if (!over) {
            layout = newer;
            plan = ReplicaOrdering.of(newer.reads(key, quorum.from()), context.replicas());
            tracker = new ReadTracker(plan, quorum.ack());
            calls = new Transport.Call[plan.size()];
            fetching.clear();
            replanning = false;
            changed = true;
            if (!advancing) {
              advance();
            }
          }
        },
        () -> {
          if (!over) {
            finish(noQuorum());
          }
        });
  }

  private void armHedge() {
    if (isListed() || changed || replanning || !tracker.hasSpare()) {
      return;
    }
    long waitNanos = 0;
    for (int i = 0; i < calls.length; i++) {
      if (calls[i] != null) {
        long slow = context.replicas().slowReadNanos(plan.replicas().get(i));
        waitNanos = Math.max(waitNanos, slow);
      }
    }
    context.slowReads().add(this, waitNanos);
  }

  /** Asks another replica, since one is slow. */
  @Override
  protected void expired() {
    if (over || replanning || !tracker.hasSpare() || !context.hedges().tryTake()) {
      return;
    }
    context.meters().hedged();
    boolean versionWillDo = tracker.hasRecord() && tracker.status() == Status.PENDING;
    advancing = true;
    ask(tracker.askNext(), versionWillDo ? Detail.VERSION : Detail.RECORD);
    advance();
  }

  private void complete() {
    Versioned newest = tracker.newest();
    if (newest == null) {
      finish(ReadOutcome.NotFound.NOT_FOUND);
      return;
    }
    context.clock().observe(newest.version());
    // The usual case. Creating a repair without work costs a node 5 % of its read throughput.
    if (!tracker.hasStale()) {
      finish(judged(newest));
      return;
    }
    ReadRepair repair =
        new ReadRepair(
            context.replicas(),
            new Mutation(key, newest),
            () -> !isLive(newest),
            layout.reads(key, Math.min(newest.from(), quorum.from())),
            new ReadRepair.Read(plan, tracker, quorum.ack(), trace, deadlineNanos),
            enough -> repaired(newest, enough));
    if (repair.isNothingBehind()) {
      finish(judged(newest));
      return;
    }
    context.meters().repaired();
    if (!quorum.isMajority() || repair.isSatisfied()) {
      repair.inBackground();
      finish(judged(newest));
    } else {
      stop();
      repair.start();
    }
  }

  private void repaired(Versioned newest, boolean enough) {
    respond.accept(enough ? judged(newest) : noQuorum());
  }

  private ReadOutcome judged(Versioned newest) {
    return isLive(newest) ? new ReadOutcome.Found(newest) : ReadOutcome.NotFound.NOT_FOUND;
  }

  private boolean isLive(Versioned record) {
    return record.isLive(context.clock()::correctedMillis);
  }

  private void finish(ReadOutcome outcome) {
    stop();
    respond.accept(outcome);
  }

  private void stop() {
    over = true;
    quieten();
  }

  private void quieten() {
    leave();
    for (Transport.Call call : calls) {
      if (call != null) {
        call.cancel();
      }
    }
  }

  private ReadOutcome noQuorum() {
    context.meters().readShortfall();
    return new ReadOutcome.NoQuorum(quorum, ReplicaOutcome.all(plan, tracker::label));
  }
}
