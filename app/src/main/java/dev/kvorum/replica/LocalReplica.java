package dev.kvorum.replica;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.tracing.Span;
import dev.kvorum.tracing.Tracer;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** This node as a replica: answers what its own coordinator and other nodes ask. */
public final class LocalReplica {
  private static final ReadResult LOST = new ReadResult.Unknown(RejectReason.DATA_LOST);
  private static final ReadResult NOT_VOTING = new ReadResult.Unknown(RejectReason.REBUILDING);

  private final Store store;
  private final HybridLogicalClock clock;
  private final CurrentTopology topology;
  private final BooleanSupplier fenced;
  private final ChecksumVerifier verifier;
  private final Tracer tracer;
  private volatile ReplicaServices services = ReplicaServices.NONE;

  /** A replica without fencing or tracing. */
  public LocalReplica(Store store, HybridLogicalClock clock, CurrentTopology topology) {
    this(store, clock, topology, () -> false, new ChecksumVerifier(), Tracer.NONE);
  }

  /**
   * A replica of this process.
   *
   * @param fenced whether peers refuse this process: then it rejects all requests
   * @param verifier compares what is to be stored with its checksum
   * @param tracer records what is asked of replicas, this one and others
   */
  public LocalReplica(
      Store store,
      HybridLogicalClock clock,
      CurrentTopology topology,
      BooleanSupplier fenced,
      ChecksumVerifier verifier,
      Tracer tracer) {
    this.fenced = fenced;
    this.verifier = verifier;
    this.tracer = tracer;
    this.store = store;
    this.clock = clock;
    this.topology = topology;
  }

  /** Whether this process must not serve because of another one of its name. */
  boolean isFenced() {
    return fenced.getAsBoolean();
  }

  /** Requests that were planned in an older epoch than this are refused. */
  long epoch() {
    return topology.get().epoch();
  }

  /** Serves background work from here on; to be called once, before there are requests. */
  public void serve(ReplicaServices all) {
    services = all;
  }

  ChecksumVerifier verifier() {
    return verifier;
  }

  /** This node's wall clock, Unix milliseconds. */
  public long wallMillis() {
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
  public void handle(
      ReplicaRequest request, long epoch, Executor loop, Waiter<ReplicaReply> waiter) {
    if (fenced.getAsBoolean()) {
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
    ReplicaServices behind = services;
    switch (request) {
      case ReplicaRequest.Read read -> {
        // An empty disk is not a "not found".
        if (behind.votes().has(read.key())) {
          store.read(read.key(), read.detail(), loop, new Reading(read.key(), waiter));
        } else {
          waiter.answer(new ReplicaReply.ReadReply(NOT_VOTING));
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
          behind.writes().arriving(mutation.record().version());
          store.apply(mutation, loop, new Writing(mutation, waiter));
        } else {
          waiter.answer(
              new ReplicaReply.WriteReply(new WriteResult.Refused(RejectReason.CLOCK_AHEAD)));
        }
      }
      case ReplicaRequest.Traced traced ->
          handle(traced.request(), epoch, loop, new Serving(traced, waiter));
      case ReplicaRequest.PullHints pull ->
          // Hints live on a loop of their own; the asker is answered on its own loop.
          behind
              .hints()
              .deliverSome(pull.target(), reply -> loop.execute(() -> waiter.answer(reply)));
      case ReplicaRequest.Scan scan -> {
        if (behind.votes().isAnyLost(scan.range())) {
          waiter.answer(new ReplicaReply.Failed(RejectReason.DATA_LOST));
        } else if (behind.votes().hasAll()) {
          store.scan(scan.range(), Detail.RECORD, scan.limits(), loop, new Scanning(waiter));
        } else {
          waiter.answer(new ReplicaReply.Failed(RejectReason.REBUILDING));
        }
      }
      case TransferRequest.AskTopology _ -> waiter.answer(new TransferReply.Known(topology.get()));
      case SyncRequest.Copy _ when epoch > epoch() ->
          // It would leave out what the asker keeps since.
          waiter.answer(new ReplicaReply.Failed(RejectReason.NOT_READY));
      case SyncRequest asked -> behind.sync().serve(asked, loop, waiter);
      case TransferRequest.CopyGained copy -> behind.transfers().serve(copy, loop, waiter);
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

  /** Answers what the store replied, unless this process has been fenced meanwhile. */
  private abstract class FromStore<T> implements Waiter<T> {
    private final Waiter<ReplicaReply> waiter;

    FromStore(Waiter<ReplicaReply> waiter) {
      this.waiter = waiter;
    }

    abstract ReplicaReply reply(T result);

    @Override
    public final void answer(T result) {
      // A write is stored even so, and counts for nothing: the other process does not have it.
      waiter.answer(fenced.getAsBoolean() ? ReplicaReply.FENCED : reply(result));
    }

    @Override
    public final boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private final class Scanning extends FromStore<ScanResult> {
    Scanning(Waiter<ReplicaReply> waiter) {
      super(waiter);
    }

    @Override
    ReplicaReply reply(ScanResult scanned) {
      if (!services.votes().hasAll()) {
        return new ReplicaReply.Failed(RejectReason.REBUILDING);
      }
      return switch (scanned) {
        case ScanResult.Page page when !page.mismatched().isEmpty() -> ReplicaReply.MISMATCH;
        case ScanResult.Page page -> new ReplicaReply.Page(page.records(), page.next());
        case ScanResult.Unknown unknown -> new ReplicaReply.Failed(unknown.reason());
      };
    }
  }

  private final class Reading extends FromStore<ReadResult> {
    private final Key key;

    Reading(Key key, Waiter<ReplicaReply> waiter) {
      super(waiter);
      this.key = key;
    }

    @Override
    ReplicaReply reply(ReadResult lookup) {
      // Asked again: the store may have been replaced by an empty one since.
      return new ReplicaReply.ReadReply(services.votes().has(key) ? orLost(lookup) : NOT_VOTING);
    }

    private ReadResult orLost(ReadResult lookup) {
      return lookup instanceof ReadResult.Absent && services.votes().isLost(key) ? LOST : lookup;
    }
  }

  private final class Writing extends FromStore<WriteResult> {
    private final Mutation mutation;

    Writing(Mutation mutation, Waiter<ReplicaReply> waiter) {
      super(waiter);
      this.mutation = mutation;
    }

    @Override
    ReplicaReply reply(WriteResult applied) {
      WriteResult counted =
          applied instanceof WriteResult.Stored ? services.votes().onStored(mutation) : applied;
      return counted instanceof WriteResult.Stored
          ? ReplicaReply.WriteReply.STORED
          : new ReplicaReply.WriteReply(counted);
    }
  }
}
