package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.repair.RepairMarks.Mark;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a member that joins says of its store: lives on one event loop. */
final class Joining {
  private static final long RETRY_MILLIS = 1000;

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;

  Joining(Ground ground, RepairSettings settings, RepairMarks marks) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
  }

  /** Whether this member joins and nothing is read from it yet. */
  boolean isUnderWay() {
    Topology now = ground.layouts().get().topology();
    return now.phase() == Phase.TRANSFERRING
        && now.before().stream().noneMatch(member -> member.id().equals(ground.self()));
  }

  /**
   * Whether this member joins with a store that is older than this change. It was called off, or
   * given up, while it was away: nothing has waited for it since.
   */
  boolean bringsOldRecords() {
    return isUnderWay()
        && marks.get(RepairMarks.WHOLE) != 0
        && marks.get(RepairMarks.JOINED) != ground.layouts().get().epoch();
  }

  /**
   * Takes an empty store for whole: it has nothing to lose, what it gains comes by the change.
   *
   * @param into the marks of that store
   * @param done told whether that is durable
   */
  void begin(RepairMarks into, Consumer<Boolean> done) {
    into.keepAll(
        List.of(
            new Mark(MarkStore.SET_ASIDE, 0),
            new Mark(RepairMarks.JOINED, ground.layouts().get().epoch()),
            new Mark(RepairMarks.WHOLE, ground.likelyMillis())),
        done);
  }

  /** As {@link Repair#filledSince}. */
  void filledSince(long millis, Runnable next) {
    if (!isUnderWay()) {
      next.run();
      return;
    }
    long cut = Coverage.stamp(millis - settings.settle().toMillis());
    List<Mark> all =
        ground.peers().get().stream()
            .map(peer -> new Mark(RepairMarks.pulledName(peer), Math.max(cut, marks.pulled(peer))))
            .toList();
    marks.keepAll(
        all,
        kept -> {
          if (kept) {
            next.run();
          } else {
            ground
                .loop()
                .schedule(() -> filledSince(millis, next), RETRY_MILLIS, TimeUnit.MILLISECONDS);
          }
        });
  }
}
