package dev.kvorum.repair.salvage;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.WriteResult;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room for a salvage: a corrupted store and its records in the new store need not fit on the
 * disk together. Confined to one event loop.
 */
final class SalvageRoom {
  private static final Logger log = LoggerFactory.getLogger(SalvageRoom.class);

  private final BackgroundContext context;
  private final SetAsideStores stores;
  private final BooleanSupplier isOver;
  private final MarkStore marks;
  private boolean isReported;

  /**
   * Creates it for the current store.
   *
   * @param isOver returns whether the salvage has ended; no callback runs then
   */
  SalvageRoom(BackgroundContext context, SetAsideStores stores, BooleanSupplier isOver) {
    this.context = context;
    this.stores = stores;
    this.isOver = isOver;
    this.marks = context.marks().ofThisStore();
  }

  /**
   * If the disk is nearly full, deletes files of the corrupted stores whose records are all decided
   * on; then runs {@code next}.
   *
   * @param areAllStored whether all records are decided on
   * @param hasSingleCopies whether records with a single copy were read
   */
  void make(boolean areAllStored, boolean hasSingleCopies, Runnable next) {
    assert context.isOnLoop();
    if (!context.store().isNearlyFull()) {
      next.run();
      return;
    }
    if (!isReported) {
      isReported = true;
      log.warn(
          "The disk is nearly full: files of corrupted stores are deleted once all their records"
              + " are stored again");
    }
    // Its fsync covers, at any durability, the records that were stored before. A store that was
    // replaced meanwhile, with these records, rejects it.
    marks.keepMark(
        RepairMarks.SALVAGED,
        1,
        context.loop(),
        kept -> {
          if (kept instanceof WriteResult.Stored && !isOver.getAsBoolean()) {
            stores.makeRoom(areAllStored, hasSingleCopies, context.loop(), () -> unlessOver(next));
          } else {
            unlessOver(next);
          }
        });
  }

  private void unlessOver(Runnable next) {
    if (!isOver.getAsBoolean()) {
      next.run();
    }
  }
}
