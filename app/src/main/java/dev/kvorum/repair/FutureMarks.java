package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.topology.MemberId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The correction of marks that a clock made which was ahead. Cuts in the future are ignored where
 * they are read ({@link RepairMarks#pulled}) and replaced by the next pull; what is left are marks
 * that nothing replaces. Lives on one event loop.
 */
final class FutureMarks {
  private static final Logger log = LoggerFactory.getLogger(FutureMarks.class);

  private final Ground ground;
  private final RepairMarks marks;

  FutureMarks(Ground ground, RepairMarks marks) {
    this.ground = ground;
    this.marks = marks;
  }

  /** Corrects what lies in the future. To be called on a whole store only. */
  void correct(long nowMillis) {
    for (MemberId peer : ground.peers().get()) {
      // It happened by now. A member that begins again now must not be told so until then.
      if (marks.isFuture(marks.removedWithout(peer))) {
        keep(RepairMarks.removedWithoutName(peer), nowMillis);
      }
    }
    long life = marks.get(RepairMarks.LIFE);
    if (life != 0 && marks.isFuture(RepairMarks.beginOf(life))) {
      // Else a removal amid an absence of this member would seem older than its store.
      keep(RepairMarks.LIFE, RepairMarks.newLife(nowMillis, ground.nanoTime().getAsLong()));
    }
  }

  private void keep(String mark, long number) {
    log.warn("The mark {} was made by a clock that was ahead and is corrected", mark);
    marks.keep(mark, number, kept -> {});
  }
}
