package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the newest record to as many more replicas as a quorum needs, before a read is answered:
 * so that no later quorum read can see an older one. While the members change, both sets of
 * replicas need that many.
 */
final class ReadRepair {
  /** What one set of replicas lacks. */
  private static final class Lack {
    private final Collection<MemberId> set;
    private int missing;
    private int underWay;

    Lack(Collection<MemberId> set, int missing) {
      this.set = set;
      this.missing = missing;
    }
  }

  private final Replicas replicas;
  private final Mutation newest;
  private final BooleanSupplier dead;
  private final ReplicaPlan keepers;
  private final @Nullable TraceContext trace;
  private final long deadlineNanos;
  private final Consumer<Boolean> done;
  private final List<Lack> lacks = new ArrayList<>();
  private final List<MemberId> behind;
  private final ArrayDeque<MemberId> targets;
  private boolean over;

  /**
   * A repair of what a read has found.
   *
   * @param dead whether the newest record is a tombstone or has expired by now
   * @param keepers the members that keep the record at the writer's number of copies: a read makes
   *     no more copies
   * @param ack how many of either set have to have it, or all where there are fewer
   * @param plan the replicas of the read
   * @param tracker their replies
   * @param trace that the read is a part of, and with it what it waits for
   * @param done called once with whether enough have it
   */
  ReadRepair(
      Replicas replicas,
      Mutation newest,
      BooleanSupplier dead,
      ReplicaPlan keepers,
      int ack,
      ReplicaPlan plan,
      ReadTracker tracker,
      @Nullable TraceContext trace,
      long deadlineNanos,
      Consumer<Boolean> done) {
    this.replicas = replicas;
    this.newest = newest;
    this.dead = dead;
    this.keepers = keepers;
    this.trace = trace;
    this.deadlineNanos = deadlineNanos;
    this.done = done;
    this.behind = keepersAmong(tracker.stale(), plan);
    this.targets = new ArrayDeque<>(behind);
    targets.addAll(keepersAmong(tracker.withoutReply(), plan));
    List<MemberId> holders = keepersAmong(tracker.holders(), plan);
    for (List<Integer> numbers : keepers.sets()) {
      List<MemberId> set = numbers.stream().map(keepers.replicas()::get).toList();
      int holding = (int) set.stream().filter(holders::contains).count();
      lacks.add(new Lack(set, Math.min(ack, set.size()) - holding));
    }
  }

  private List<MemberId> keepersAmong(List<Integer> some, ReplicaPlan plan) {
    return some.stream().map(plan.replicas()::get).filter(keepers.replicas()::contains).toList();
  }

  /** Whether all that answered have the record. */
  boolean isNothingBehind() {
    return behind.isEmpty();
  }

  /** Whether enough have it already. */
  boolean isNeedless() {
    return lacks.stream().allMatch(lack -> lack.missing <= 0);
  }

  /** Writes the record to the replicas that are behind, without waiting for them. */
  void inBackground() {
    ReplicaRequest write = new ReplicaRequest.Write(newest);
    behind.forEach(
        target -> replicas.ask(target, write, keepers.epoch(), deadlineNanos, reply -> {}));
  }

  void start() {
    advance();
  }

  private void advance() {
    for (MemberId target = next(); !over && target != null; target = next()) {
      MemberId asked = target;
      lacks.stream().filter(lack -> lack.set.contains(asked)).forEach(lack -> lack.underWay++);
      replicas.ask(
          asked,
          new ReplicaRequest.Write(newest).within(trace),
          keepers.epoch(),
          deadlineNanos,
          reply -> on(asked, reply));
    }
    boolean enough = isNeedless();
    if (!over && (enough || lacks.stream().anyMatch(lack -> lack.underWay < lack.missing))) {
      over = true;
      done.accept(enough);
    }
  }

  /** A target that one of the sets still wants, or null. */
  private @Nullable MemberId next() {
    for (Iterator<MemberId> left = targets.iterator(); left.hasNext(); ) {
      MemberId target = left.next();
      if (lacks.stream()
          .anyMatch(lack -> lack.underWay < lack.missing && lack.set.contains(target))) {
        left.remove();
        return target;
      }
    }
    return null;
  }

  private boolean holds(WriteResult applied) {
    return switch (applied) {
      case WriteResult.Stored stored -> true;
      case WriteResult.Superseded superseded -> true;
      // A tombstone that is so old has been there, and was removed once all replicas had it. So has
      // the tombstone of a record that expired, which some replicas may not have made yet.
      case WriteResult.Refused refused ->
          refused.reason() == RejectReason.TOO_OLD && dead.getAsBoolean();
    };
  }

  private void on(MemberId asked, ReplicaReply reply) {
    boolean held = reply instanceof ReplicaReply.WriteReply wrote && holds(wrote.applied());
    for (Lack lack : lacks) {
      if (lack.set.contains(asked)) {
        lack.underWay--;
        lack.missing -= held ? 1 : 0;
      }
    }
    if (!over) {
      advance();
    }
  }
}
