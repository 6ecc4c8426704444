package dev.kvorum.simulation.mutants;

import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Corrupted stores that are salvaged wrongly on purpose. */
final class BrokenSetAside {
  private BrokenSetAside() {}

  static SetAsideStores salvagesNothing(SetAsideStores stores) {
    return changing(stores, records -> List.of());
  }

  static SetAsideStores takesAllForNewest(SetAsideStores stores) {
    return changing(
        stores,
        records ->
            records.stream().map(record -> new Salvageable(record.mutation(), true)).toList());
  }

  private static SetAsideStores changing(
      SetAsideStores inner, UnaryOperator<List<Salvageable>> change) {
    return new SetAsideStores() {
      @Override
      public boolean isPending() {
        return inner.isPending();
      }

      @Override
      public void begin() {
        inner.begin();
      }

      @Override
      public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
        inner.next(limits, loop, salvaged -> waiter.reply(changed(salvaged, change)));
      }

      @Override
      public boolean hadSingleCopies() {
        return inner.hadSingleCopies();
      }

      @Override
      public void makeRoom(
          boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done) {
        inner.makeRoom(areAllStored, hasSingleCopies, loop, done);
      }

      @Override
      public LostKeys lost() {
        return inner.lost();
      }

      @Override
      public void keepLost(LostKeys lost, Executor loop, Consumer<Boolean> kept) {
        inner.keepLost(lost, loop, kept);
      }

      @Override
      public void release(Executor loop, Consumer<Boolean> released) {
        inner.release(loop, released);
      }
    };
  }

  private static Salvaged changed(Salvaged salvaged, UnaryOperator<List<Salvageable>> change) {
    return switch (salvaged) {
      case Salvaged.Page page ->
          new Salvaged.Page(change.apply(page.records()), page.unreadable(), page.isLast());
      case Salvaged.Failed failed -> failed;
    };
  }
}
