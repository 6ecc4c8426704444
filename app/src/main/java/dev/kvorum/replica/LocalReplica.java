package dev.kvorum.replica;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.tracing.Span;
import dev.kvorum.tracing.Tracer;
import java.util.concurrent.Executor;

/** This node as a replica: answers what its own coordinator and other nodes ask. */
public final class LocalReplica {
  private static final Lookup LOST = new Lookup.Unknown(Refusal.DATA_LOST);
  private static final Lookup NO_SAY = new Lookup.Unknown(Refusal.REBUILDING);

  private final Store store;
  private final HybridLogicalClock clock;
  private final CurrentTopology topology;
  private final Fence fence;
  private final ChecksumVerifier verifier;
  private volatile HintDelivery hints =
      (target, waiter) -> waiter.answer(new ReplicaReply.HintsDelivered(0, 0));
  private volatile SyncSource sync =
      (request, loop, waiter) -> waiter.answer(new ReplicaReply.Failed(Refusal.NOT_READY));
  private volatile TransferSource transfer =
      (copy, loop, waiter) -> waiter.answer(new ReplicaReply.Failed(Refusal.NOT_READY));
  private volatile Votes votes = Votes.WHOLE;
  private volatile WriteWatch watch = version -> {};
  private volatile Tracer tracer = Tracer.NONE;

  /** A replica that nobody fences. */
  public LocalReplica(Store store, HybridLogicalClock clock, CurrentTopology topology) {
    this(store, clock, topology, new Fence(), new ChecksumVerifier());
  }

  /**
   * The replica of a process that refuses all requests while its fence is raised.
   *
   * @param verifier compares what is to be stored with its checksum
   */
  public LocalReplica(
      Store store,
      HybridLogicalClock clock,
      CurrentTopology topology,
      Fence fence,
      ChecksumVerifier verifier) {
    this.fence = fence;
    this.verifier = verifier;
    this.store = store;
    this.clock = clock;
    this.topology = topology;
  }

  /** Whether this process must not serve because of another one of its name. */
  boolean isFenced() {
    return fence.isRaised();
  }

  /** Requests that were planned in an older epoch than this are refused. */
  long epoch() {
    return topology.get().epoch();
  }

  /** Lets peers pull their hints from here on. */
  public void serveHints(HintDelivery delivery) {
    hints = delivery;
  }

  /** Lets peers make themselves equal to this node from here on. */
  public void serveSync(SyncSource source) {
    sync = source;
  }

  /** Lets peers copy what they gain from here on. */
  public void serveTransfers(TransferSource source) {
    transfer = source;
  }

  /** Lets this node's word count as it is told. */
  public void vote(Votes worth) {
    votes = worth;
  }

  /** Tells one more of writes before they are applied; to be called before there are any. */
  public void watchWrites(WriteWatch writeWatch) {
    watch = watch.then(writeWatch);
  }

  /** Lets the spans of what is asked of replicas, this one and others, be seen. */
  public void trace(Tracer newTracer) {
    tracer = newTracer;
  }

  /** What compares records with their checksums. */
  ChecksumVerifier verifier() {
    return verifier;
  }

  /** This node's wall clock. */
  long wallMillis() {
    return clock.wallMillis();
  }

  Tracer tracer() {
    return tracer;
  }

  /** Whether puts are refused because this node's disk is nearly full. */
  public boolean isDiskNearlyFull() {
    return store.isNearlyFull();
  }

  /**
   * Answers a request; before the call returns where memory has the answer, else on {@code loop}.
   *
   * @param epoch in which it was planned
   */
  void handle(ReplicaRequest request, long epoch, Executor loop, Waiter<ReplicaReply> waiter) {
    if (fence.isRaised()) {
      waiter.answer(ReplicaReply.FENCED);
    } else if (epoch < epoch() && dependsOnMembers(request)) {
      waiter.answer(ReplicaReply.STALE_EPOCH);
    } else {
      serve(request, epoch, loop, waiter);
    }
  }

  private static boolean dependsOnMembers(ReplicaRequest request) {
    // What is traced comes here once more, without its trace.
    return !(request instanceof TransferRequest.AskTopology
        || request instanceof ReplicaRequest.Traced);
  }

  private void serve(
      ReplicaRequest request, long epoch, Executor loop, Waiter<ReplicaReply> waiter) {
    switch (request) {
      case ReplicaRequest.Read read -> {
        // An empty disk is not a "not found".
        if (votes.has(read.key())) {
          store.read(read.key(), read.detail(), loop, new Reading(read.key(), waiter));
        } else {
          waiter.answer(new ReplicaReply.Looked(NO_SAY));
        }
      }
      case ReplicaRequest.Write write -> {
        Mutation mutation = write.mutation();
        if (!verifier.matches(Place.WRITE, mutation.key(), mutation.record())) {
          waiter.answer(ReplicaReply.MISMATCH);
          return;
        }
        // A stamp from a broken clock would shut out honest writes until their clocks reach it.
        if (clock.observe(mutation.record().version())) {
          watch.arriving(mutation.record().version());
          store.apply(mutation, loop, new Writing(mutation, waiter));
        } else {
          waiter.answer(new ReplicaReply.Wrote(new Applied.Refused(Refusal.CLOCK_AHEAD)));
        }
      }
      case ReplicaRequest.Traced traced ->
          handle(traced.request(), epoch, loop, new Serving(traced, waiter));
      case ReplicaRequest.PullHints pull ->
          // Hints live on a loop of their own; whoever asks is answered on his.
          hints.deliverSome(pull.target(), reply -> loop.execute(() -> waiter.answer(reply)));
      case ReplicaRequest.Scan scan -> {
        if (votes.isAnyLost(scan.range())) {
          waiter.answer(new ReplicaReply.Failed(Refusal.DATA_LOST));
        } else if (votes.hasAll()) {
          store.scan(scan.range(), Detail.RECORD, scan.limits(), loop, new Scanning(waiter));
        } else {
          waiter.answer(new ReplicaReply.Failed(Refusal.REBUILDING));
        }
      }
      case TransferRequest.AskTopology _ -> waiter.answer(new TransferReply.Known(topology.get()));
      case SyncRequest.Copy _ when epoch > epoch() ->
          // It would leave out what the asker keeps since.
          waiter.answer(new ReplicaReply.Failed(Refusal.NOT_READY));
      case SyncRequest asked -> sync.serve(asked, loop, waiter);
      case TransferRequest.CopyGained copy -> transfer.serve(copy, loop, waiter);
    }
  }

  /** A request of another node's trace, whose span ends with the answer. */
  private final class Serving implements Waiter<ReplicaReply> {
    private final Waiter<ReplicaReply> waiter;
    private final Span span;

    Serving(ReplicaRequest.Traced traced, Waiter<ReplicaReply> waiter) {
      this.waiter = waiter;
      this.span = ReplicaSpans.served(tracer, traced);
    }

    @Override
    public void answer(ReplicaReply reply) {
      ReplicaSpans.end(span, reply);
      waiter.answer(reply);
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private final class Scanning implements Waiter<Scanned> {
    private final Waiter<ReplicaReply> waiter;

    Scanning(Waiter<ReplicaReply> waiter) {
      this.waiter = waiter;
    }

    @Override
    public void answer(Scanned scanned) {
      if (fence.isRaised()) {
        waiter.answer(ReplicaReply.FENCED);
        return;
      }
      waiter.answer(votes.hasAll() ? reply(scanned) : new ReplicaReply.Failed(Refusal.REBUILDING));
    }

    private static ReplicaReply reply(Scanned scanned) {
      return switch (scanned) {
        case Scanned.Page page when !page.mismatched().isEmpty() -> ReplicaReply.MISMATCH;
        case Scanned.Page page -> new ReplicaReply.Page(page.records(), page.next());
        case Scanned.Unknown unknown -> new ReplicaReply.Failed(unknown.reason());
      };
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private final class Reading implements Waiter<Lookup> {
    private final Key key;
    private final Waiter<ReplicaReply> waiter;

    Reading(Key key, Waiter<ReplicaReply> waiter) {
      this.key = key;
      this.waiter = waiter;
    }

    @Override
    public void answer(Lookup lookup) {
      if (fence.isRaised()) {
        waiter.answer(ReplicaReply.FENCED);
        return;
      }
      // Asked again: the store may have been replaced by an empty one since.
      waiter.answer(new ReplicaReply.Looked(votes.has(key) ? orLost(lookup) : NO_SAY));
    }

    private Lookup orLost(Lookup lookup) {
      return lookup instanceof Lookup.Absent && votes.isLost(key) ? LOST : lookup;
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private final class Writing implements Waiter<Applied> {
    private final Mutation mutation;
    private final Waiter<ReplicaReply> waiter;

    Writing(Mutation mutation, Waiter<ReplicaReply> waiter) {
      this.mutation = mutation;
      this.waiter = waiter;
    }

    @Override
    public void answer(Applied applied) {
      if (fence.isRaised()) {
        // The write is here, and counts for nothing: the other process does not have it.
        waiter.answer(ReplicaReply.FENCED);
        return;
      }
      Applied word = applied instanceof Applied.Stored ? votes.onStored(mutation) : applied;
      waiter.answer(
          word instanceof Applied.Stored
              ? ReplicaReply.Wrote.STORED
              : new ReplicaReply.Wrote(word));
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }
}
