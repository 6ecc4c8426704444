package dev.kvorum.repair.state;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.topology.MemberId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Corrects marks that were written while the clock was ahead. Cuts in the future are ignored when
 * they are read ({@link RepairMarks#pulled}) and replaced by the next session; this class corrects
 * the marks that nothing replaces. Confined to one event loop.
 */
public final class FutureMarkReset {
  private static final Logger log = LoggerFactory.getLogger(FutureMarkReset.class);

  private final BackgroundContext context;
  private final RepairMarks marks;

  public FutureMarkReset(BackgroundContext context, RepairMarks marks) {
    this.context = context;
    this.marks = marks;
  }

  /** Corrects marks whose time no clock has reached. To be called on a complete store only. */
  public void correct(long nowMillis) {
    assert context.isOnLoop();
    long latest = context.latestMillis();
    for (MemberId peer : context.peers().get()) {
      // The removal happened in the past. Otherwise a member that resets its store now would count
      // as having missed it until that future time.
      if (RepairMarks.isBeyond(marks.purgedWithout(peer), latest)) {
        keep(RepairMarks.purgedWithoutName(peer), nowMillis);
      }
    }
    long life = marks.get(RepairMarks.LIFE);
    if (life != 0 && RepairMarks.isBeyond(RepairMarks.beginOf(life), latest)) {
      // Otherwise a removal during an absence of this member would seem older than its store.
      keep(RepairMarks.LIFE, RepairMarks.newLife(nowMillis, context.nanoTime().getAsLong()));
    }
  }

  private void keep(String mark, long number) {
    log.warn("Corrected the mark {}, which was written by a clock that ran ahead", mark);
    marks.keep(mark, number, kept -> {});
  }
}
