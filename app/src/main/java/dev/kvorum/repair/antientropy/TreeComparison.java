package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.RejectReason;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Compares this member's Merkle trees with a peer's, from the slots down to the level at which
 * listing records is cheaper than comparing more digests.
 */
final class TreeComparison {
  private static final long ASK_AGAIN_MILLIS = 100;

  /** Intervals after which a peer that still builds its trees is given up. */
  private static final int BUILD_INTERVALS_MAX = 6;

  /** A listed record takes as much space as this number of digests. */
  private static final int RECORDS_PER_PART = 3;

  private static final int LEAVES = 3;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final MerkleTrees trees;
  private final MemberId peer;
  private final SharedSlots shared;
  private final BooleanSupplier over;
  private final Consumer<End> done;
  private final long giveUpNanos;
  private int level;
  private int[] nodes = {0};
  private int next;
  private List<Integer> differing = new ArrayList<>();

  /** How a comparison ended. */
  sealed interface End {
    /**
     * The nodes that differ; all others are equal.
     *
     * @param level of the nodes: 1 to 3
     */
    @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
    record Differing(int level, int[] parts) implements End {}

    /** The peer has trees of another cut only. */
    record CutMoved(long cut) implements End {}

    /** The peer's reply was unusable. */
    record Broken(ReplicaReply reply) implements End {}
  }

  /**
   * A comparison that has not started.
   *
   * @param over whether the result is no longer needed
   */
  TreeComparison(
      BackgroundContext context,
      RepairSettings settings,
      MerkleTrees trees,
      MemberId peer,
      BooleanSupplier over,
      Consumer<End> done) {
    this.context = context;
    this.settings = settings;
    this.trees = trees;
    this.peer = peer;
    this.shared = new SharedSlots(context.layouts().get().before(), context.self(), peer);
    this.over = over;
    this.done = done;
    long waitMaxNanos = BUILD_INTERVALS_MAX * settings.interval().toNanos();
    this.giveUpNanos = context.nanoTime().getAsLong() + waitMaxNanos;
  }

  void start() {
    ask();
  }

  private void ask() {
    int end = Math.min(nodes.length, next + RepairSession.PARTS_MAX);
    int[] some = Arrays.copyOfRange(nodes, next, end);
    ReplyDeadline.ask(
        context,
        peer,
        new RepairRequest.CompareDigests(context.self(), trees.cut(), level, some),
        settings.timeout(),
        (reply, replyDeadline) -> on(some, reply));
  }

  private void on(int[] some, ReplicaReply reply) {
    if (over.getAsBoolean()) {
      return;
    }
    switch (reply) {
      case RepairReply.CutMoved moved -> done.accept(new End.CutMoved(moved.cut()));
      case RepairReply.Digests theirs -> compare(some, theirs.digests());
      case ReplicaReply.Failed failed when isWorthWaiting(failed) ->
          context.loop().schedule(this::ask, ASK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      case ReplicaReply other -> done.accept(new End.Broken(other));
    }
  }

  private boolean isWorthWaiting(ReplicaReply.Failed failed) {
    return failed.reason() == RejectReason.NOT_READY
        && context.nanoTime().getAsLong() - giveUpNanos < 0;
  }

  private void compare(int[] some, int[] theirs) {
    int[] mine = trees.digests(level, some, shared);
    if (mine.length != theirs.length) {
      done.accept(new End.Broken(new ReplicaReply.Failed(RejectReason.STALE_EPOCH)));
      return;
    }
    int children = LeafHash.childrenAt(level);
    for (int i = 0; i < mine.length; i++) {
      if (mine[i] != theirs[i]) {
        differing.add(some[i / children] * children + i % children);
      }
    }
    next += some.length;
    if (next < nodes.length) {
      ask();
    } else {
      descend();
    }
  }

  private void descend() {
    level++;
    nodes = differing.stream().mapToInt(Integer::intValue).toArray();
    boolean cheaperByName = trees.records() <= (long) RECORDS_PER_PART * LeafHash.partsAt(level);
    if (nodes.length == 0 || level == LEAVES || cheaperByName) {
      done.accept(new End.Differing(level, nodes));
    } else {
      next = 0;
      differing = new ArrayList<>();
      ask();
    }
  }
}
