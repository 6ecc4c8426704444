package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one write. It sends the write to all its replicas at once and responds when its tracker has
 * decided. It ends when each replica has stored the write, has rejected it, or has a hint.
 */
final class WriteOperation {
  private final RequestContext context;
  private final Quorum quorum;
  private final @Nullable TraceContext trace;
  private final long deadlineNanos;
  private final Consumer<WriteOutcome> answer;
  private final Runnable finished;

  private Mutation mutation;
  private ReplicaPlan plan;
  private WriteTracker tracker;
  private boolean[] hinted;
  private boolean lastAttempt;
  private boolean replanning;
  private boolean sending;
  private boolean answered;
  private boolean acknowledged;
  private boolean over;

  /**
   * Creates a write; {@link #start} sends it.
   *
   * @param trace trace of all its attempts, or null
   * @param finished run once the write holds no memory any more
   */
  WriteOperation(
      RequestContext context,
      Quorum quorum,
      Mutation mutation,
      @Nullable TraceContext trace,
      long deadlineNanos,
      Consumer<WriteOutcome> answer,
      Runnable finished) {
    this.context = context;
    this.quorum = quorum;
    this.mutation = mutation;
    this.trace = trace;
    this.deadlineNanos = deadlineNanos;
    this.answer = answer;
    this.finished = finished;
    this.plan = context.layouts().get().writes(mutation.key(), quorum.from());
    this.tracker = new WriteTracker(plan, quorum.ack(), false);
    this.hinted = new boolean[plan.size()];
  }

  void start() {
    send();
  }

  private void send() {
    WriteTracker attempt = tracker;
    ReplicaPlan planned = plan;
    ReplicaRequest request = new ReplicaRequest.Write(mutation).within(trace);
    List<MemberId> targets = planned.replicas();
    sending = true;
    for (int i = 0; i < targets.size(); i++) {
      int replica = i;
      context
          .replicas()
          .ask(
              targets.get(i),
              request,
              planned.epoch(),
              deadlineNanos,
              reply -> on(attempt, replica, reply));
    }
    sending = false;
    advance();
  }

  private void on(WriteTracker attempt, int replica, ReplicaReply reply) {
    // Replies to an earlier attempt do not count for the current one.
    if (attempt != tracker || over) {
      return;
    }
    if (ReplicaReply.STALE_EPOCH.equals(reply) && !answered && !replanning) {
      replanning = true;
      LayoutAwaiter.await(
          context,
          plan.epoch(),
          deadlineNanos,
          layout -> replan(attempt, layout.writes(mutation.key(), quorum.from())),
          () -> onReplanTimeout(attempt));
    }
    attempt.on(replica, ReplyMapper.applied(reply));
    if (!sending) {
      advance();
    }
  }

  /**
   * Sends the same version to the replicas of the newer epoch, unless those of the older epoch have
   * decided the write meanwhile.
   */
  private void replan(WriteTracker attempt, ReplicaPlan newer) {
    replanning = false;
    if (attempt == tracker && !answered) {
      plan = newer;
      hinted = new boolean[plan.size()];
      tracker = new WriteTracker(plan, quorum.ack(), lastAttempt);
      if (sending) {
        context.loop().execute(this::send);
      } else {
        send();
      }
    }
  }

  private void onReplanTimeout(WriteTracker attempt) {
    replanning = false;
    if (attempt == tracker && !over) {
      advance();
    }
  }

  private void advance() {
    if (!answered) {
      switch (tracker.status()) {
        case PENDING -> {}
        case ACKNOWLEDGED -> {
          acknowledged = true;
          answer(new WriteOutcome.Acknowledged(mutation.record().version()));
        }
        case SUPERSEDED -> {
          retryAbove(tracker.newestSeen());
          return;
        }
        case FAILED -> {
          if (!replanning) {
            answer(indeterminate());
          }
        }
      }
    }
    if (answered) {
      wrapUp();
    }
  }

  private void retryAbove(Version met) {
    context.meters().superseded();
    // After the deadline, a newer version could overwrite what the client has written since.
    boolean late = context.nanoTime().getAsLong() - deadlineNanos >= 0;
    Version version = !late && context.clock().observe(met) ? context.clock().next() : null;
    if (version == null) {
      // Otherwise a replica's clock is out of bounds, and no version above the existing one is
      // allowed.
      answer(indeterminate());
      wrapUp();
      return;
    }
    mutation = mutation.restamped(version);
    lastAttempt = true;
    replanning = false;
    tracker = new WriteTracker(plan, quorum.ack(), true);
    send();
  }

  private void wrapUp() {
    boolean open = false;
    for (int i = 0; i < plan.size(); i++) {
      boolean waiting = tracker.isOpen(i) && !context.replicas().isSuspect(plan.replicas().get(i));
      open |= waiting;
      if (!waiting && (tracker.isRejected(i) || tracker.isOpen(i))) {
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
      context.meters().hint(context.replicas().keepHint(plan.replicas().get(replica), mutation));
    }
  }

  private void answer(WriteOutcome outcome) {
    answered = true;
    answer.accept(outcome);
  }

  private WriteOutcome indeterminate() {
    context.meters().writeShortfall();
    return new WriteOutcome.Indeterminate(quorum, ReplicaOutcome.all(plan, tracker::label));
  }
}
