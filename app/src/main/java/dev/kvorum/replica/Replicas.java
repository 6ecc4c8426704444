package dev.kvorum.replica;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.Span;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All members as replicas, this node included, as seen from one event loop.
 *
 * <p>Every request is answered exactly once: by the member, or with {@link RejectReason#TIMED_OUT}
 * once its deadline is over, give or take the interval at which {@link #sweep} is called.
 */
public final class Replicas {
  private final MemberId self;
  private final LocalReplica local;
  private final Transport transport;
  private final HintStore hints;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private Consumer<MemberId> onNewerEpoch = member -> {};

  // Timeouts are all alike, so the order of asking is nearly always the order of deadlines. What
  // has less time than the one asked before it, such as a read's repair, is kept apart.
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private final PriorityQueue<Asked> hurried =
      new PriorityQueue<>((a, b) -> Long.signum(a.deadlineNanos - b.deadlineNanos));

  /**
   * A door on one event loop.
   *
   * @param nanoTime a monotone clock in nanoseconds, the one deadlines are given in
   */
  public Replicas(
      MemberId self,
      LocalReplica local,
      Transport transport,
      HintStore hints,
      Executor loop,
      LongSupplier nanoTime) {
    this.self = self;
    this.local = local;
    this.transport = transport;
    this.hints = hints;
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  /**
   * Sets a listener, called on the loop, for members that rejected a request because they have a
   * newer epoch.
   */
  public void onNewerEpoch(Consumer<MemberId> listener) {
    onNewerEpoch = listener;
  }

  /** The member that this node is. */
  public MemberId self() {
    return self;
  }

  /** Asks a replica what does not depend on the members; as the other one does. */
  public Transport.Call ask(
      MemberId to, ReplicaRequest request, long deadlineNanos, Waiter<ReplicaReply> waiter) {
    return ask(to, request, local.epoch(), deadlineNanos, waiter);
  }

  /**
   * Asks a replica; the answer may come before the call returns.
   *
   * @param epoch in which this was planned; a replica with a newer one refuses it
   */
  public Transport.Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long deadlineNanos,
      Waiter<ReplicaReply> waiter) {
    Asked ask = new Asked(to, request, waiter, deadlineNanos);
    if (to.equals(self)) {
      local.handle(request.untraced(), epoch, loop, ask);
    } else {
      ask.span = ReplicaSpans.asked(local, request, to);
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - nanoTime.getAsLong());
      ReplicaRequest sent = ReplicaSpans.within(ask.span, request);
      ask.call = transport.ask(to, sent, epoch, Math.max(1, leftMillis), ask);
    }
    if (ask.isOpen()) {
      Asked last = asked.peekLast();
      (last == null || ask.deadlineNanos - last.deadlineNanos >= 0 ? asked : hurried).add(ask);
    }
    return ask;
  }

  /** Whether a member is better asked last; never so of this node itself. */
  public boolean isSuspect(MemberId member) {
    return !member.equals(self) && transport.isSuspect(member);
  }

  /** How long to wait for a member's read before another one is asked too, in nanoseconds. */
  public long slowReadNanos(MemberId member) {
    return transport.slowReadNanos(member);
  }

  /** How many of a member's reads have been timed. */
  public long timedReads(MemberId member) {
    return transport.timedReads(member);
  }

  /** What compares records with their checksums. */
  public ChecksumVerifier verifier() {
    return local.verifier();
  }

  /** Whether this process must not answer clients because of another one of its name. */
  public boolean isFenced() {
    return local.isFenced();
  }

  /** Whether this node's disk is too full to take puts. */
  public boolean isDiskNearlyFull() {
    return local.isDiskNearlyFull();
  }

  /**
   * Keeps a mutation for a replica that did not take it.
   *
   * @return false when there was no room and anti-entropy has to repair it
   */
  public boolean keepHint(MemberId target, Mutation mutation) {
    return hints.keep(target, mutation);
  }

  /** Ends what has waited past its deadline; to be called on the loop every few milliseconds. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    sweep(asked, now);
    sweep(hurried, now);
  }

  private static void sweep(Queue<Asked> queue, long now) {
    Asked first = queue.peek();
    while (first != null && (!first.isOpen() || first.deadlineNanos - now <= 0)) {
      queue.remove();
      first.expire();
      first = queue.peek();
    }
  }

  private final class Asked implements Waiter<ReplicaReply>, Transport.Call {
    private final MemberId to;
    private final ReplicaRequest request;
    private final long deadlineNanos;
    private Transport.Call call = Transport.Call.DONE;
    private Span span = Span.NONE;
    // Read by the store's threads, written on the loop alone; null once answered or cancelled.
    private volatile @Nullable Waiter<ReplicaReply> waiter;

    Asked(MemberId to, ReplicaRequest request, Waiter<ReplicaReply> waiter, long deadlineNanos) {
      this.to = to;
      this.request = request;
      this.waiter = waiter;
      this.deadlineNanos = deadlineNanos;
    }

    boolean isOpen() {
      return waiter != null;
    }

    @Override
    public boolean isWaiting() {
      return waiter != null && deadlineNanos - nanoTime.getAsLong() > 0;
    }

    @Override
    public void answer(ReplicaReply received) {
      Waiter<ReplicaReply> waiting = waiter;
      // What this node's own store has read was compared there.
      boolean usable = waiting == null || to.equals(self) || isIntact(received);
      ReplicaReply reply = usable ? received : ReplicaReply.MISMATCH;
      if (ReplicaReply.STALE_EPOCH.equals(reply)) {
        onNewerEpoch.accept(to);
      }
      if (waiting != null) {
        waiter = null;
        ReplicaSpans.end(span, reply);
        waiting.answer(reply);
      }
    }

    private boolean isIntact(ReplicaReply reply) {
      return switch (reply) {
        case ReplicaReply.ReadReply(ReadResult.Found found)
            when request.untraced() instanceof ReplicaRequest.Read read ->
            local.verifier().matches(Place.REPLY, read.key(), found.record());
        case ReplicaReply.Page page -> areIntact(page.records());
        case TransferReply.Gained gained -> areIntact(gained.records());
        case ReplicaReply other -> true;
      };
    }

    private boolean areIntact(List<Mutation> records) {
      return records.stream()
          .allMatch(one -> local.verifier().matches(Place.REPLY, one.key(), one.record()));
    }

    @Override
    public void cancel() {
      if (waiter != null) {
        waiter = null;
        call.cancel();
        ReplicaSpans.cancelled(span);
      }
    }

    @Override
    public void expire() {
      Waiter<ReplicaReply> waiting = waiter;
      if (waiting != null) {
        waiter = null;
        ReplicaReply late = new ReplicaReply.Failed(RejectReason.TIMED_OUT);
        ReplicaSpans.end(span, late);
        call.expire();
        waiting.answer(late);
      }
    }
  }
}
