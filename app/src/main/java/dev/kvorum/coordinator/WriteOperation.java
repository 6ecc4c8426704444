package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one write. It sends the write to all its replicas at once and responds when its tracker has
 * decided. It ends when each replica has stored the write, has rejected it, or has a hint.
 */
final class WriteOperation {
  private enum State {
    /** Waits for enough replies to the current attempt. */
    COLLECTING,
    /** Waits for the newer layout of a replica. Replies to the current attempt still count. */
    AWAITING_LAYOUT,
    /** The client has its response. Waits for the other replies: what they lack becomes hints. */
    ACKNOWLEDGED,
    /** The client has its response. Waits for the other replies, since they use the value. */
    INDETERMINATE,
    FINISHED
  }

  /** Receives what becomes of a write. */
  interface Listener {
    /** Called once, when the write is decided. */
    void decided(WriteOutcome outcome);

    /** Called once the write holds no memory any more. */
    void finished();
  }

  private final RequestContext context;
  private final Quorum quorum;
  private final @Nullable TraceContext trace;
  private final long deadlineNanos;
  private final Listener listener;

  private Mutation mutation;
  private ReplicaPlan plan;
  private WriteTracker tracker;
  private boolean[] hinted;
  private State state = State.COLLECTING;
  // The local replica may reply before the last request has been sent.
  private boolean sending;

  /**
   * Creates a write; {@link #start} sends it.
   *
   * @param trace trace of all its attempts, or null
   */
  WriteOperation(
      RequestContext context,
      Quorum quorum,
      Mutation mutation,
      @Nullable TraceContext trace,
      long deadlineNanos,
      Listener listener) {
    this.context = context;
    this.quorum = quorum;
    this.mutation = mutation;
    this.trace = trace;
    this.deadlineNanos = deadlineNanos;
    this.listener = listener;
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
    if (attempt != tracker || state == State.FINISHED) {
      return;
    }
    if (ReplicaReply.STALE_EPOCH.equals(reply) && state == State.COLLECTING) {
      state = State.AWAITING_LAYOUT;
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
    if (attempt != tracker || state != State.AWAITING_LAYOUT) {
      return;
    }
    state = State.COLLECTING;
    plan = newer;
    hinted = new boolean[plan.size()];
    tracker = new WriteTracker(plan, quorum.ack(), attempt.isLastAttempt());
    if (sending) {
      context.loop().execute(this::send);
    } else {
      send();
    }
  }

  private void onReplanTimeout(WriteTracker attempt) {
    if (attempt == tracker && state == State.AWAITING_LAYOUT) {
      state = State.COLLECTING;
      advance();
    }
  }

  private void advance() {
    switch (state) {
      case COLLECTING, AWAITING_LAYOUT -> decide();
      case ACKNOWLEDGED, INDETERMINATE -> wrapUp();
      case FINISHED -> {}
    }
  }

  private void decide() {
    switch (tracker.status()) {
      case PENDING -> {}
      case ACKNOWLEDGED ->
          conclude(State.ACKNOWLEDGED, new WriteOutcome.Acknowledged(mutation.record().version()));
      case SUPERSEDED -> retryAbove(tracker.newestSeen());
      case FAILED -> {
        // The replicas of a newer layout may still confirm it.
        if (state != State.AWAITING_LAYOUT) {
          conclude(State.INDETERMINATE, indeterminate());
        }
      }
    }
  }

  private void conclude(State reached, WriteOutcome outcome) {
    state = reached;
    listener.decided(outcome);
    wrapUp();
  }

  private void retryAbove(Version met) {
    context.meters().superseded();
    // After the deadline, a newer version could overwrite what the client has written since.
    boolean late = context.nanoTime().getAsLong() - deadlineNanos >= 0;
    Version version = !late && context.clock().observe(met) ? context.clock().next() : null;
    if (version == null) {
      // Otherwise a replica's clock is out of bounds, and no version above the existing one is
      // allowed.
      conclude(State.INDETERMINATE, indeterminate());
      return;
    }
    mutation = mutation.restamped(version);
    state = State.COLLECTING;
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
    if (!open) {
      state = State.FINISHED;
      listener.finished();
    }
  }

  private void hint(int replica) {
    if (state == State.ACKNOWLEDGED && !hinted[replica]) {
      hinted[replica] = true;
      context.meters().hint(context.replicas().keepHint(plan.replicas().get(replica), mutation));
    }
  }

  private WriteOutcome indeterminate() {
    context.meters().writeShortfall();
    return new WriteOutcome.Indeterminate(quorum, ReplicaOutcome.all(plan, tracker::label));
  }
}
