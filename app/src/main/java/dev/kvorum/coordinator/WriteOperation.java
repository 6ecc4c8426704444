package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One write under way: sends it to all its replicas at once, answers when its tracker says so, and
 * stays until each replica has it, has said no, or has been left a hint.
 */
final class WriteOperation {
  private final Replicas replicas;
  private final HybridLogicalClock clock;
  private final Meters meters;
  private final Quorum quorum;
  private final List<MemberId> targets;
  private final long deadlineNanos;
  private final Consumer<WriteOutcome> answer;
  private final Runnable finished;

  private Mutation mutation;
  private WriteTracker tracker;
  private final boolean[] hinted;
  private boolean sending;
  private boolean answered;
  private boolean acknowledged;
  private boolean over;

  WriteOperation(
      Replicas replicas,
      HybridLogicalClock clock,
      Meters meters,
      Quorum quorum,
      List<MemberId> targets,
      Mutation mutation,
      long deadlineNanos,
      Consumer<WriteOutcome> answer,
      Runnable finished) {
    this.replicas = replicas;
    this.clock = clock;
    this.meters = meters;
    this.quorum = quorum;
    this.targets = targets;
    this.mutation = mutation;
    this.deadlineNanos = deadlineNanos;
    this.answer = answer;
    this.finished = finished;
    this.hinted = new boolean[targets.size()];
    this.tracker = new WriteTracker(quorum, false);
  }

  void start() {
    send();
  }

  private void send() {
    WriteTracker attempt = tracker;
    ReplicaRequest request = new ReplicaRequest.Write(mutation);
    sending = true;
    for (int i = 0; i < targets.size(); i++) {
      int replica = i;
      replicas.ask(targets.get(i), request, deadlineNanos, reply -> on(attempt, replica, reply));
    }
    sending = false;
    advance();
  }

  private void on(WriteTracker attempt, int replica, ReplicaReply reply) {
    // Answers to the first attempt mean nothing to the second.
    if (attempt != tracker || over) {
      return;
    }
    attempt.on(replica, applied(reply));
    if (!sending) {
      advance();
    }
  }

  private static Applied applied(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.Wrote wrote -> wrote.applied();
      case ReplicaReply.Failed failed -> new Applied.Refused(failed.reason());
      case ReplicaReply.Looked _, ReplicaReply.HintsDelivered _, ReplicaReply.Page _, SyncReply _ ->
          new Applied.Refused(Refusal.STORAGE_FAILED);
    };
  }

  private void advance() {
    if (!answered) {
      switch (tracker.standing()) {
        case PENDING -> {}
        case ACKNOWLEDGED -> {
          acknowledged = true;
          answer(new WriteOutcome.Acknowledged(mutation.record().version()));
        }
        case SUPERSEDED -> {
          tryAbove(tracker.newestMet());
          return;
        }
        case FAILED -> answer(indeterminate());
      }
    }
    if (answered) {
      wrapUp();
    }
  }

  private void tryAbove(Version met) {
    meters.superseded();
    Version version = clock.observe(met) ? clock.next() : null;
    if (version == null) {
      // Some replica's clock is out of bounds: this write can not be put above what is there.
      answer(indeterminate());
      wrapUp();
      return;
    }
    mutation = new Mutation(mutation.key(), mutation.record().restamped(version));
    tracker = new WriteTracker(quorum, true);
    send();
  }

  private void wrapUp() {
    boolean open = false;
    for (int i = 0; i < targets.size(); i++) {
      boolean waiting = tracker.isOpen(i) && !replicas.isSuspect(targets.get(i));
      open |= waiting;
      if (!waiting && (tracker.isRefused(i) || tracker.isOpen(i))) {
        hint(i);
      }
    }
    if (!open && !over) {
      over = true;
      finished.run();
    }
  }

  private void hint(int replica) {
    if (acknowledged && !hinted[replica]) {
      hinted[replica] = true;
      meters.hint(replicas.keepHint(targets.get(replica), mutation));
    }
  }

  private void answer(WriteOutcome outcome) {
    answered = true;
    answer.accept(outcome);
  }

  private WriteOutcome indeterminate() {
    List<ReplicaAnswer> answers = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      answers.add(new ReplicaAnswer(targets.get(i), tracker.word(i)));
    }
    return new WriteOutcome.Indeterminate(quorum, answers);
  }
}
