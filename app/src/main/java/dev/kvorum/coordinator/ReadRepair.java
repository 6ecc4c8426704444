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
 * Writes the newest record to as many replicas as a quorum lacks, before the read responds. No
 * later quorum read can then return an older record. During a membership change, both sets of
 * replicas need that many.
 */
final class ReadRepair {
  /**
   * A read that has all replies that it needs.
   *
   * @param plan its replicas
   * @param tracker their replies
   * @param ack number of replicas in each set that must have the record; where fewer of the
   *     repliers keep it, all of these
   * @param trace its trace, or null; it waits for the writes of {@link #start}
   */
  record Read(
      ReplicaPlan plan,
      ReadTracker tracker,
      int ack,
      @Nullable TraceContext trace,
      long deadlineNanos) {}

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
  private final Read read;
  private final Consumer<Boolean> done;
  private final List<Lack> lacks = new ArrayList<>();
  private final List<MemberId> behind;
  private final ArrayDeque<MemberId> targets;
  private boolean over;

  /**
   * Creates a repair from the replies to a read.
   *
   * @param dead returns whether the newest record is a tombstone or has expired by now
   * @param keepers members that keep the record at the writer's number of copies; a read creates no
   *     additional copies
   * @param done called once with whether enough replicas have the record
   */
  ReadRepair(
      Replicas replicas,
      Mutation newest,
      BooleanSupplier dead,
      ReplicaPlan keepers,
      Read read,
      Consumer<Boolean> done) {
    this.replicas = replicas;
    this.newest = newest;
    this.dead = dead;
    this.keepers = keepers;
    this.read = read;
    this.done = done;
    ReadTracker tracker = read.tracker();
    ReplicaPlan plan = read.plan();
    this.behind = keepersAmong(tracker.stale(), plan);
    this.targets = new ArrayDeque<>(behind);
    targets.addAll(keepersAmong(tracker.withoutReply(), plan));
    List<MemberId> holders = keepersAmong(tracker.holders(), plan);
    for (List<Integer> numbers : keepers.sets()) {
      List<MemberId> set = numbers.stream().map(keepers.replicas()::get).toList();
      int holding = (int) set.stream().filter(holders::contains).count();
      int replied = holding + (int) set.stream().filter(behind::contains).count();
      lacks.add(new Lack(set, Math.min(read.ack(), replied) - holding));
    }
  }

  private List<MemberId> keepersAmong(List<Integer> some, ReplicaPlan plan) {
    return some.stream().map(plan.replicas()::get).filter(keepers.replicas()::contains).toList();
  }

  /** Returns whether all replicas that replied have the record. */
  boolean isNothingBehind() {
    return behind.isEmpty();
  }

  /** Returns whether enough replicas have the record already. */
  boolean isSatisfied() {
    return lacks.stream().allMatch(lack -> lack.missing <= 0);
  }

  /** Writes the record to the stale replicas without waiting for them. */
  void inBackground() {
    ReplicaRequest write = new ReplicaRequest.Write(newest);
    behind.forEach(
        target -> replicas.ask(target, write, keepers.epoch(), read.deadlineNanos(), reply -> {}));
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
          new ReplicaRequest.Write(newest).within(read.trace()),
          keepers.epoch(),
          read.deadlineNanos(),
          reply -> on(asked, reply));
    }
    boolean enough = isSatisfied();
    if (!over && (enough || lacks.stream().anyMatch(lack -> lack.underWay < lack.missing))) {
      over = true;
      done.accept(enough);
    }
  }

  /** The next target that a set still needs, or null. */
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
      // The replica has had a tombstone of that age and removed it after all replicas had it. The
      // same holds for the tombstone of an expired record, which some replicas may not have created
      // yet.
      case WriteResult.Rejected rejected ->
          rejected.reason() == RejectReason.TOO_OLD && dead.getAsBoolean();
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
