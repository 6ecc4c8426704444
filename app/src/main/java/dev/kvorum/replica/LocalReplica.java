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

/** This node as a replica: serves requests of its own coordinator and of peers. */
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

  /** Creates a replica without fencing or tracing. */
  public LocalReplica(Store store, HybridLogicalClock clock, CurrentTopology topology) {
    this(store, clock, topology, () -> false, new ChecksumVerifier(), Tracer.NONE);
  }

  /**
   * Creates the replica of this process.
   *
   * @param fenced returns whether peers reject this process; it then rejects all requests
   * @param verifier verifies the checksums of records before they are stored
   * @param tracer records requests to this replica and to others
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

  /**
   * Returns whether this process must not serve because another process of its member is running.
   */
  boolean isFenced() {
    return fenced.getAsBoolean();
  }

  /** Epoch of the current topology; requests planned in an older epoch are rejected. */
  long epoch() {
    return topology.get().epoch();
  }

  /** Registers the background services. Call it once, before the first request. */
  public void serve(ReplicaServices all) {
    services = all;
  }

  ChecksumVerifier verifier() {
    return verifier;
  }

  /** This node's wall clock, in Unix milliseconds. */
  public long wallMillis() {
    return clock.wallMillis();
  }

  Tracer tracer() {
    return tracer;
  }

  /** Returns whether puts are rejected because this node's disk is nearly full. */
  public boolean isDiskNearlyFull() {
    return store.isNearlyFull();
  }

  /**
   * Serves a request. Replies before the call returns if memory has the record, else on {@code
   * loop}.
   *
   * @param epoch epoch in which the request was planned
   */
  public void handle(
      ReplicaRequest request, long epoch, Executor loop, Waiter<ReplicaReply> waiter) {
    if (fenced.getAsBoolean()) {
      waiter.reply(ReplicaReply.FENCED);
    } else if (epoch < epoch() && dependsOnMembers(request)) {
      waiter.reply(ReplicaReply.STALE_EPOCH);
    } else {
      serve(request, epoch, loop, waiter);
    }
  }

  private static boolean dependsOnMembers(ReplicaRequest request) {
    // A traced request is handled again without its trace.
    return !(request instanceof TransferRequest.AskTopology
        || request instanceof ReplicaRequest.Traced);
  }

  private void serve(
      ReplicaRequest request, long epoch, Executor loop, Waiter<ReplicaReply> waiter) {
    ReplicaServices behind = services;
    switch (request) {
      case ReplicaRequest.Read read -> {
        // A rebuilding replica must not report a record as absent.
        if (behind.votes().has(read.key())) {
          store.read(read.key(), read.detail(), loop, new Reading(read.key(), waiter));
        } else {
          waiter.reply(new ReplicaReply.ReadReply(NOT_VOTING));
        }
      }
      case ReplicaRequest.Write write -> {
        Mutation mutation = write.mutation();
        if (!verifier.matches(Place.WRITE, mutation.key(), mutation.record())) {
          waiter.reply(ReplicaReply.MISMATCH);
          return;
        }
        // A stamp from a wrong clock would reject valid writes until their clocks have reached it.
        if (clock.observe(mutation.record().version())) {
          behind.writes().arriving(mutation.record().version());
          store.apply(mutation, loop, new Writing(mutation, waiter));
        } else {
          waiter.reply(
              new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.CLOCK_AHEAD)));
        }
      }
      case ReplicaRequest.Traced traced ->
          handle(traced.request(), epoch, loop, new Serving(traced, waiter));
      case ReplicaRequest.PullHints pull ->
          // Hints have an event loop of their own; the reply must run on the requester's loop.
          behind
              .hints()
              .deliverSome(pull.target(), reply -> loop.execute(() -> waiter.reply(reply)));
      case ReplicaRequest.Scan scan -> {
        if (behind.votes().isAnyLost(scan.range())) {
          waiter.reply(new ReplicaReply.Failed(RejectReason.DATA_LOST));
        } else if (behind.votes().hasAll()) {
          store.scan(
              scan.range(), scan.order(), Detail.RECORD, scan.limits(), loop, new Scanning(waiter));
        } else {
          waiter.reply(new ReplicaReply.Failed(RejectReason.REBUILDING));
        }
      }
      case TransferRequest.AskTopology _ -> waiter.reply(new TransferReply.Known(topology.get()));
      case RepairRequest.Copy _ when epoch > epoch() ->
          // The copy would lack records that the requester keeps only since the newer epoch.
          waiter.reply(ReplicaReply.NOT_READY);
      case RepairRequest asked -> behind.repair().serve(asked, loop, waiter);
      case TransferRequest.CopyGained copy -> behind.transfers().serve(copy, loop, waiter);
    }
  }

  /** A traced request of a peer; its span ends with the reply. */
  private final class Serving implements Waiter<ReplicaReply> {
    private final Waiter<ReplicaReply> waiter;
    private final Span span;

    Serving(ReplicaRequest.Traced traced, Waiter<ReplicaReply> waiter) {
      this.waiter = waiter;
      this.span = ReplicaSpans.served(tracer, traced);
    }

    @Override
    public void reply(ReplicaReply reply) {
      ReplicaSpans.end(span, reply);
      waiter.reply(reply);
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  /** Passes on a reply of the store, unless this process has been fenced meanwhile. */
  private abstract class FromStore<T> implements Waiter<T> {
    private final Waiter<ReplicaReply> waiter;

    FromStore(Waiter<ReplicaReply> waiter) {
      this.waiter = waiter;
    }

    abstract ReplicaReply toReply(T result);

    @Override
    public final void reply(T result) {
      // The write is stored but must not count, since the other process does not have it.
      waiter.reply(fenced.getAsBoolean() ? ReplicaReply.FENCED : toReply(result));
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
    ReplicaReply toReply(ScanResult scanned) {
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
    ReplicaReply toReply(ReadResult lookup) {
      // Checked again: an empty store may have replaced the store meanwhile.
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
    ReplicaReply toReply(WriteResult applied) {
      WriteResult counted =
          switch (applied) {
            case WriteResult.Stored stored -> services.votes().onStored(mutation);
            case WriteResult.Superseded superseded ->
                services.votes().onSuperseded(mutation, superseded);
            case WriteResult.Rejected rejected -> rejected;
          };
      return counted instanceof WriteResult.Stored
          ? ReplicaReply.WriteReply.STORED
          : new ReplicaReply.WriteReply(counted);
    }
  }
}
