package dev.kvorum.coordinator;

import dev.kvorum.coordinator.ReadTracker.Standing;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One read under way: asks as many replicas as it needs, the next one when one is slow or fails,
 * and repairs what is behind before it answers at a quorum.
 */
final class ReadOperation {
  private final Replicas replicas;
  private final ScheduledExecutorService loop;
  private final HybridLogicalClock clock;
  private final Meters meters;
  private final HedgeBudget hedges;
  private final Key key;
  private final Quorum quorum;
  private final List<MemberId> preference;
  private final MemberId[] candidates;
  private final long deadlineNanos;
  private final ReadMemory memory;
  private final Consumer<ReadOutcome> answer;

  private final ReadTracker tracker;
  private final Transport.Call[] calls;
  private @Nullable ScheduledFuture<?> hedge;
  // Replicas that were asked for the whole record and have not answered.
  private final BitSet fetching = new BitSet();
  private boolean advancing;
  private boolean changed;
  private boolean over;

  /**
   * A read.
   *
   * @param preference the key's replicas in the order in which they keep it
   * @param candidates the same in the order in which to ask them
   */
  ReadOperation(
      Replicas replicas,
      ScheduledExecutorService loop,
      HybridLogicalClock clock,
      Meters meters,
      HedgeBudget hedges,
      Key key,
      Quorum quorum,
      List<MemberId> preference,
      MemberId[] candidates,
      long deadlineNanos,
      ReadMemory memory,
      Consumer<ReadOutcome> answer) {
    this.replicas = replicas;
    this.loop = loop;
    this.clock = clock;
    this.meters = meters;
    this.hedges = hedges;
    this.key = key;
    this.quorum = quorum;
    this.preference = preference;
    this.candidates = candidates;
    this.deadlineNanos = deadlineNanos;
    this.memory = memory;
    this.answer = answer;
    this.tracker = new ReadTracker(quorum);
    this.calls = new Transport.Call[candidates.length];
  }

  void start() {
    if (!over) {
      advance();
    }
  }

  /** Stops for a client that is gone. */
  void cancel() {
    if (!over) {
      stop();
    }
  }

  private void advance() {
    // Answers from memory come while a replica is being asked; they are looked at afterwards.
    advancing = true;
    do {
      changed = false;
      step();
    } while (changed && !over);
    advancing = false;
  }

  private void step() {
    switch (tracker.standing()) {
      case PENDING -> askMissing();
      case RECORD_MISSING -> fetchRecord();
      case SETTLED -> settle();
      case FAILED -> finish(unanswered());
    }
  }

  private void askMissing() {
    int next = 0;
    for (int missing = tracker.missing(); missing > 0 && next >= 0; missing--) {
      next = tracker.askNext();
      if (next >= 0) {
        ask(next, fetching.isEmpty() && !tracker.hasRecord() ? Detail.RECORD : Detail.VERSION);
      }
    }
    armHedge();
  }

  private void fetchRecord() {
    int holder = tracker.holder();
    if (!fetching.get(holder)) {
      disarmHedge();
      ask(holder, Detail.RECORD);
    }
    armHedge();
  }

  private void ask(int replica, Detail detail) {
    if (detail == Detail.RECORD) {
      fetching.set(replica);
    }
    calls[replica] =
        replicas.ask(
            candidates[replica],
            new ReplicaRequest.Read(key, detail),
            deadlineNanos,
            reply -> on(replica, reply));
  }

  private void on(int replica, ReplicaReply reply) {
    if (over) {
      return;
    }
    Lookup lookup = lookup(reply);
    fetching.clear(replica);
    if (lookup instanceof Lookup.Found found && !memory.take(found.record().value().length)) {
      finish(new ReadOutcome.Rejected(Refusal.OVERLOADED));
      return;
    }
    tracker.on(replica, lookup);
    changed = true;
    if (!advancing) {
      advance();
    }
  }

  private static Lookup lookup(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.Looked looked -> looked.lookup();
      case ReplicaReply.Failed failed -> new Lookup.Unknown(failed.reason());
      case ReplicaReply.Wrote _, ReplicaReply.HintsDelivered _, ReplicaReply.Page _, SyncReply _ ->
          new Lookup.Unknown(Refusal.STORAGE_FAILED);
    };
  }

  private void armHedge() {
    if (hedge != null || changed || !tracker.hasSpare()) {
      return;
    }
    long waitNanos = 0;
    for (int i = 0; i < candidates.length; i++) {
      if (calls[i] != null && !candidates[i].equals(replicas.self())) {
        waitNanos = Math.max(waitNanos, replicas.slowReadNanos(candidates[i]));
      }
    }
    // A slow disk of this node's own is hedged like a slow peer: by what a peer would take.
    long delay = waitNanos == 0 ? TimeUnit.MILLISECONDS.toNanos(1) : waitNanos;
    hedge = loop.schedule(this::hedge, delay, TimeUnit.NANOSECONDS);
  }

  private void hedge() {
    hedge = null;
    if (over || !tracker.hasSpare() || !hedges.tryTake()) {
      return;
    }
    meters.hedged();
    boolean versionWillDo = tracker.hasRecord() && tracker.standing() == Standing.PENDING;
    advancing = true;
    ask(tracker.askNext(), versionWillDo ? Detail.VERSION : Detail.RECORD);
    advance();
  }

  private void disarmHedge() {
    if (hedge != null) {
      hedge.cancel(false);
      hedge = null;
    }
  }

  private void settle() {
    Versioned newest = tracker.newest();
    if (newest == null) {
      finish(ReadOutcome.NotFound.NOT_FOUND);
      return;
    }
    clock.observe(newest.version());
    List<Integer> behind = tracker.stale();
    if (behind.isEmpty()) {
      finish(judged(newest));
    } else {
      repair(newest, behind);
    }
  }

  private void repair(Versioned newest, List<Integer> behind) {
    List<MemberId> keepers = preference.subList(0, Math.min(newest.from(), quorum.from()));
    List<MemberId> stale = keepersAmong(behind, keepers);
    if (stale.isEmpty()) {
      finish(judged(newest));
      return;
    }
    meters.repaired();
    Mutation repair = new Mutation(key, newest);
    int holding = keepersAmong(tracker.holders(), keepers).size();
    int missing = Math.min(quorum.ack(), keepers.size()) - holding;
    if (!quorum.isMajority() || missing <= 0) {
      ReadRepair.inBackground(replicas, repair, stale, deadlineNanos);
      finish(judged(newest));
      return;
    }
    List<MemberId> targets = new ArrayList<>(stale);
    targets.addAll(keepersAmong(tracker.unheard(), keepers));
    stop();
    new ReadRepair(
            replicas,
            repair,
            missing,
            targets,
            deadlineNanos,
            enough -> answer.accept(enough ? judged(newest) : unanswered()))
        .start();
  }

  /**
   * Of some replicas those that the writer asked to keep the record: a read makes no more copies.
   */
  private List<MemberId> keepersAmong(List<Integer> some, List<MemberId> keepers) {
    return some.stream().map(replica -> candidates[replica]).filter(keepers::contains).toList();
  }

  private ReadOutcome judged(Versioned newest) {
    return newest.isLiveAt(clock.wallMillis())
        ? new ReadOutcome.Found(newest)
        : ReadOutcome.NotFound.NOT_FOUND;
  }

  private void finish(ReadOutcome outcome) {
    stop();
    answer.accept(outcome);
  }

  private void stop() {
    over = true;
    disarmHedge();
    for (Transport.Call call : calls) {
      if (call != null) {
        call.cancel();
      }
    }
  }

  private ReadOutcome unanswered() {
    List<ReplicaAnswer> answers = new ArrayList<>();
    for (int i = 0; i < candidates.length; i++) {
      answers.add(new ReplicaAnswer(candidates[i], tracker.word(i)));
    }
    return new ReadOutcome.Unanswered(quorum, answers);
  }
}
