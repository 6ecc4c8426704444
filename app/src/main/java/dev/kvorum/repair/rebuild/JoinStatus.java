package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairMarks.Mark;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The store of a member that joins. Confined to one event loop. */
public final class JoinStatus {
  private static final long RETRY_MILLIS = 1000;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;

  public JoinStatus(BackgroundContext context, RepairSettings settings, RepairMarks marks) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
  }

  /** Whether this member joins and does not serve reads yet. */
  public boolean isUnderWay() {
    Topology now = context.layouts().get().topology();
    return now.phase() == Phase.TRANSFERRING
        && now.before().stream().noneMatch(member -> member.id().equals(context.self()));
  }

  /**
   * Whether this member joins with a store from before this change. An earlier join was cancelled
   * while the member was away; since then its peers may have removed tombstones without it.
   */
  public boolean bringsOldRecords() {
    return isUnderWay()
        && marks.get(RepairMarks.COMPLETE) != 0
        && marks.get(RepairMarks.JOINED) != context.layouts().get().epoch();
  }

  /**
   * Marks an empty store as complete: it has lost nothing, and receives its records through the
   * change.
   *
   * @param into marks of that store
   * @param done called with whether the marks are durable
   */
  public void begin(RepairMarks into, Consumer<Boolean> done) {
    assert context.isOnLoop();
    into.keepAll(
        List.of(
            new Mark(MarkStore.SET_ASIDE, 0),
            new Mark(MarkStore.RESET, 0),
            new Mark(RepairMarks.JOINED, context.layouts().get().epoch()),
            new Mark(RepairMarks.COMPLETE, context.likelyMillis())),
        done);
  }

  /**
   * Records that all records of this member were streamed after a time, so that it has missed no
   * tombstone removed before.
   */
  public void filledSince(long millis, Runnable next) {
    assert context.isOnLoop();
    if (!isUnderWay()) {
      next.run();
      return;
    }
    long cut = Version.stampOf(millis - settings.settle().toMillis());
    List<Mark> all =
        context.peers().get().stream()
            .map(peer -> new Mark(RepairMarks.pulledName(peer), Math.max(cut, marks.pulled(peer))))
            .toList();
    marks.keepAll(
        all,
        kept -> {
          if (kept) {
            next.run();
          } else {
            context
                .loop()
                .schedule(() -> filledSince(millis, next), RETRY_MILLIS, TimeUnit.MILLISECONDS);
          }
        });
  }
}
