package dev.kvorum.replica;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.deadlines.DeadlineList;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.Span;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All members as replicas, this node included, as seen from one event loop.
 *
 * <p>Each request gets exactly one reply: from the member, or with {@link RejectReason#TIMED_OUT}
 * after its deadline, within the interval at which {@link #sweep} is called.
 */
public final class Replicas {
  private final MemberId self;
  private final LocalReplica local;
  private final Transport transport;
  private final HintStore hints;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private Consumer<MemberId> onNewerEpoch = member -> {};

  // Open requests only: what has a reply leaves it, and with it the value that a write carries.
  private final DeadlineList open = new DeadlineList();

  /**
   * Creates the replicas for one event loop.
   *
   * @param nanoTime the monotonic clock, in nanoseconds, on which deadlines are based
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

  /** The monotonic clock, in nanoseconds, on which deadlines are based. */
  public LongSupplier nanoTime() {
    return nanoTime;
  }

  /** This node's own member id. */
  public MemberId self() {
    return self;
  }

  /** Sends a request that does not depend on the topology; otherwise like the other {@code ask}. */
  public Transport.Call ask(
      MemberId to, ReplicaRequest request, long deadlineNanos, Waiter<ReplicaReply> waiter) {
    return ask(to, request, local.epoch(), deadlineNanos, waiter);
  }

  /**
   * Sends a request to a replica. The reply may arrive before the call returns.
   *
   * @param epoch epoch in which the request was planned; a replica with a newer one rejects it
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
      open.add(ask, deadlineNanos);
    }
    return ask;
  }

  /** Returns whether a member should be asked last; never true for this node. */
  public boolean isSuspect(MemberId member) {
    return !member.equals(self) && transport.isSuspect(member);
  }

  /** How long to wait for a member's read before asking another one too, in nanoseconds. */
  public long slowReadNanos(MemberId member) {
    return transport.slowReadNanos(member);
  }

  /** How many reads of a member have been timed. */
  public long timedReads(MemberId member) {
    return transport.timedReads(member);
  }

  /** Verifies the checksums of records. */
  public ChecksumVerifier verifier() {
    return local.verifier();
  }

  /**
   * Returns whether this process must not serve clients because another process of its member is
   * running.
   */
  public boolean isFenced() {
    return local.isFenced();
  }

  /** Returns whether this node's disk is too full for puts. */
  public boolean isDiskNearlyFull() {
    return local.isDiskNearlyFull();
  }

  /**
   * Keeps a mutation as a hint for a replica that did not store it.
   *
   * @return false when there was no room, so that anti-entropy has to repair the replica
   */
  public boolean keepHint(MemberId target, Mutation mutation) {
    return hints.keep(target, mutation);
  }

  /** Number of hints that this node keeps for a member. */
  public long hintsFor(MemberId target) {
    return hints.count(target);
  }

  /** Times out requests past their deadline. Call it on the loop every few milliseconds. */
  public void sweep() {
    open.expire(nanoTime.getAsLong());
  }

  /** Returns whether no request waits for its reply. */
  boolean isIdle() {
    return open.isEmpty();
  }

  private final class Asked extends DeadlineList.Entry
      implements Waiter<ReplicaReply>, Transport.Call {
    private final MemberId to;
    private final ReplicaRequest request;
    private final long deadlineNanos;
    private Transport.Call call = Transport.Call.DONE;
    private Span span = Span.NONE;
    // Read by the store's threads, written on the loop only; null once replied to or cancelled.
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

    private void end() {
      waiter = null;
      leave();
    }

    @Override
    public boolean isWaiting() {
      return waiter != null && deadlineNanos - nanoTime.getAsLong() > 0;
    }

    @Override
    public void reply(ReplicaReply received) {
      Waiter<ReplicaReply> waiting = waiter;
      // The own store has verified the checksums of its records already.
      boolean usable = waiting == null || to.equals(self) || isIntact(received);
      ReplicaReply reply = usable ? received : ReplicaReply.MISMATCH;
      if (ReplicaReply.STALE_EPOCH.equals(reply)) {
        onNewerEpoch.accept(to);
      }
      if (waiting != null) {
        end();
        ReplicaSpans.end(span, reply);
        waiting.reply(reply);
      }
    }

    private boolean isIntact(ReplicaReply reply) {
      return switch (reply) {
        case ReplicaReply.ReadReply(ReadResult.Found found)
            when request.untraced() instanceof ReplicaRequest.Read read ->
            local.verifier().matches(Place.REPLY, read.key(), found.record());
        case ReplicaReply.Page page -> areIntact(page.records());
        case TransferReply.Gained gained -> areIntact(gained.records());
        case ReplicaReply.ReadReply _,
            ReplicaReply.WriteReply _,
            ReplicaReply.HintsDelivered _,
            ReplicaReply.Failed _ ->
            true;
        case RepairReply.Status _,
            RepairReply.Digests _,
            RepairReply.CutMoved _,
            RepairReply.Listed _,
            RepairReply.Certain _,
            RepairReply.Done _ ->
            true;
        case TransferReply.Known _ -> true;
      };
    }

    private boolean areIntact(List<Mutation> records) {
      return records.stream()
          .allMatch(one -> local.verifier().matches(Place.REPLY, one.key(), one.record()));
    }

    @Override
    public void cancel() {
      if (waiter != null) {
        end();
        call.cancel();
        ReplicaSpans.cancelled(span);
      }
    }

    @Override
    protected void expired() {
      Waiter<ReplicaReply> waiting = waiter;
      if (waiting != null) {
        end();
        ReplicaReply late = new ReplicaReply.Failed(RejectReason.TIMED_OUT);
        ReplicaSpans.end(span, late);
        call.expire();
        waiting.reply(late);
      }
    }
  }
}
