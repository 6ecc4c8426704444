package dev.kvorum.replica;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;

/** This node as a replica: answers what its own coordinator and other nodes ask. */
public final class LocalReplica {
  private final Store store;
  private final HybridLogicalClock clock;
  private volatile HintDelivery hints =
      (target, waiter) -> waiter.answer(new ReplicaReply.HintsDelivered(0, 0));
  private volatile SyncSource sync =
      (request, loop, waiter) -> waiter.answer(new ReplicaReply.Failed(Refusal.NOT_READY));
  private volatile ReadVotes votes = ReadVotes.WHOLE;
  private volatile WriteWatch watch = version -> {};

  public LocalReplica(Store store, HybridLogicalClock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Lets peers pull their hints from here on. */
  public void serveHints(HintDelivery delivery) {
    hints = delivery;
  }

  /** Lets peers make themselves equal to this node from here on. */
  public void serveSync(SyncSource source) {
    sync = source;
  }

  /** Lets this node vote in reads as it is told. */
  public void vote(ReadVotes readVotes) {
    votes = readVotes;
  }

  /** Tells of writes before they are applied. */
  public void watchWrites(WriteWatch writeWatch) {
    watch = writeWatch;
  }

  /** Whether puts are refused because this node's disk is nearly full. */
  public boolean isDiskNearlyFull() {
    return store.isNearlyFull();
  }

  /**
   * Answers a request; before the call returns where memory has the answer, else on {@code loop}.
   */
  void handle(ReplicaRequest request, Executor loop, Waiter<ReplicaReply> waiter) {
    switch (request) {
      case ReplicaRequest.Read read -> {
        // An empty disk is not a "not found".
        if (votes.has(read.key())) {
          store.read(read.key(), read.detail(), loop, new Reading(waiter));
        } else {
          waiter.answer(new ReplicaReply.Looked(new Lookup.Unknown(Refusal.REBUILDING)));
        }
      }
      case ReplicaRequest.Write write -> {
        // A stamp from a broken clock would shut out honest writes until their clocks reach it.
        if (clock.observe(write.mutation().record().version())) {
          watch.arriving(write.mutation().record().version());
          store.apply(write.mutation(), loop, new Writing(waiter));
        } else {
          waiter.answer(new ReplicaReply.Wrote(new Applied.Refused(Refusal.CLOCK_AHEAD)));
        }
      }
      case ReplicaRequest.PullHints pull ->
          // Hints live on a loop of their own; whoever asks is answered on his.
          hints.deliverSome(pull.target(), reply -> loop.execute(() -> waiter.answer(reply)));
      case ReplicaRequest.Scan scan -> {
        if (votes.hasAll()) {
          store.scan(scan.range(), Detail.RECORD, scan.limits(), loop, new Scanning(waiter));
        } else {
          waiter.answer(new ReplicaReply.Failed(Refusal.REBUILDING));
        }
      }
      case SyncRequest asked -> sync.serve(asked, loop, waiter);
    }
  }

  private record Scanning(Waiter<ReplicaReply> waiter) implements Waiter<Scanned> {
    @Override
    public void answer(Scanned scanned) {
      waiter.answer(
          switch (scanned) {
            case Scanned.Page page -> new ReplicaReply.Page(page.records(), page.next());
            case Scanned.Unknown unknown -> new ReplicaReply.Failed(unknown.reason());
          });
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private record Reading(Waiter<ReplicaReply> waiter) implements Waiter<Lookup> {
    @Override
    public void answer(Lookup lookup) {
      waiter.answer(new ReplicaReply.Looked(lookup));
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }

  private record Writing(Waiter<ReplicaReply> waiter) implements Waiter<Applied> {
    @Override
    public void answer(Applied applied) {
      waiter.answer(
          applied instanceof Applied.Stored
              ? ReplicaReply.Wrote.STORED
              : new ReplicaReply.Wrote(applied));
    }

    @Override
    public boolean isWaiting() {
      return waiter.isWaiting();
    }
  }
}
