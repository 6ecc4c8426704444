package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.Applied;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Brings the newest record to as many more replicas as a quorum needs, before a read is answered:
 * so that no later quorum read can see an older one.
 */
final class ReadRepair {
  private final Replicas replicas;
  private final Mutation newest;
  private final long deadlineNanos;
  private final Consumer<Boolean> done;
  private final ArrayDeque<MemberId> targets;
  private int missing;
  private int underWay;
  private boolean over;

  /**
   * A repair.
   *
   * @param missing replicas that have to take the record
   * @param targets replicas that may, best first
   * @param done told once whether enough of them did
   */
  ReadRepair(
      Replicas replicas,
      Mutation newest,
      int missing,
      List<MemberId> targets,
      long deadlineNanos,
      Consumer<Boolean> done) {
    this.replicas = replicas;
    this.newest = newest;
    this.missing = missing;
    this.targets = new ArrayDeque<>(targets);
    this.deadlineNanos = deadlineNanos;
    this.done = done;
  }

  /** Writes the record to replicas for whose answer nobody waits. */
  static void inBackground(
      Replicas replicas, Mutation newest, List<MemberId> targets, long deadlineNanos) {
    ReplicaRequest write = new ReplicaRequest.Write(newest);
    targets.forEach(target -> replicas.ask(target, write, deadlineNanos, reply -> {}));
  }

  void start() {
    advance();
  }

  private void advance() {
    while (!over && underWay < missing && !targets.isEmpty()) {
      underWay++;
      replicas.ask(
          targets.removeFirst(), new ReplicaRequest.Write(newest), deadlineNanos, this::on);
    }
    if (!over && (missing == 0 || underWay < missing)) {
      over = true;
      done.accept(missing == 0);
    }
  }

  private boolean holds(Applied applied) {
    return switch (applied) {
      case Applied.Stored stored -> true;
      case Applied.Superseded superseded -> true;
      // A tombstone that is so old has been there, and was removed once all replicas had it.
      case Applied.Refused refused ->
          newest.record().tombstone() && refused.reason() == Refusal.TOO_OLD;
    };
  }

  private void on(ReplicaReply reply) {
    underWay--;
    if (reply instanceof ReplicaReply.Wrote wrote && holds(wrote.applied())) {
      missing--;
    }
    if (!over) {
      advance();
    }
  }
}
