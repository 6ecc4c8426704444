package dev.kvorum.backup.restore;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.RetryingWriter;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Stores restored records, with their original versions, at their owners in this cluster. An owner
 * that does not confirm a record is asked again until it does. Confined to one event loop, apart
 * from {@link #store}.
 */
final class RecordRestorer {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final BackgroundContext context;
  private final RetryingWriter writer;
  private volatile boolean isStopped;
  private volatile String rejection = "";

  /** Counts the owners of one record that have not replied. */
  private final class Owners {
    private final Consumer<Boolean> done;
    private int open;
    private boolean areAllWell = true;

    Owners(int count, Consumer<Boolean> done) {
      this.open = count;
      this.done = done;
    }

    void reply(MemberId owner, ReplicaReply reply) {
      Optional<RejectReason> rejected = rejectedBy(reply);
      if (rejected.isPresent()) {
        areAllWell = false;
        rejection = owner + " does not store records: " + rejected.get().label();
      }
      open--;
      if (open == 0) {
        done.accept(areAllWell);
      }
    }
  }

  /**
   * A restorer of records.
   *
   * @param window records at a time
   */
  RecordRestorer(BackgroundContext context, int window) {
    this.context = context;
    this.writer = new RetryingWriter(context, window, () -> isStopped, Runnable::run);
  }

  /** Stores records; completes once all destinations have them. Safe for any thread. */
  CompletableFuture<Void> store(List<Mutation> records, Destinations destinations) {
    CompletableFuture<Void> stored = new CompletableFuture<>();
    context
        .loop()
        .execute(() ->
            writer.write(
                records,
                (record, done) -> store(record, destinations, done),
                () -> {
                  rejection = "";
                  stored.complete(null);
                }));
    return stored;
  }

  /** Why an owner did not store a record; empty once all are stored. Safe for any thread. */
  String rejection() {
    return rejection;
  }

  /** Ends all work; nothing completes any more. Safe for any thread. */
  void stop() {
    isStopped = true;
  }

  private void store(Mutation record, Destinations destinations, Consumer<Boolean> done) {
    assert context.isOnLoop();
    ReplicaPlan plan = context.layouts().get().writes(record.key(), record.record().from());
    List<MemberId> storing = destinations.of(plan.replicas());
    Owners owners = new Owners(storing.size(), done);
    long deadline = context.nanoTime().getAsLong() + TIMEOUT_NANOS;
    for (MemberId owner : storing) {
      context
          .replicas()
          .ask(
              owner,
              new ReplicaRequest.Write(record),
              plan.epoch(),
              deadline,
              reply -> owners.reply(owner, reply));
    }
  }

  private static Optional<RejectReason> rejectedBy(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.WriteReply(WriteResult.Rejected(RejectReason reason)) ->
          Optional.of(reason);
      case ReplicaReply.WriteReply _ -> Optional.empty();
      case ReplicaReply.Failed(RejectReason reason) -> Optional.of(reason);
      default -> Optional.of(RejectReason.NOT_READY);
    };
  }
}
