package dev.kvorum.storage;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Corrupted stores that were set aside and may contain the last copy of an acknowledged write. They
 * are kept until {@link #release}, across restarts of the process. No method blocks.
 */
public interface SetAsideStores {
  /** No set-aside stores. */
  SetAsideStores NONE =
      new SetAsideStores() {
        @Override
        public boolean isPending() {
          return false;
        }

        @Override
        public void begin() {}

        @Override
        public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
          loop.execute(() -> waiter.reply(new Salvaged.Page(List.of(), List.of(), true)));
        }

        @Override
        public boolean hadSingleCopies() {
          return false;
        }

        @Override
        public void makeRoom(
            boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done) {
          loop.execute(done);
        }

        @Override
        public LostKeys lost() {
          return LostKeys.NONE;
        }

        @Override
        public void keepLost(LostKeys lost, Executor loop, Consumer<Boolean> kept) {
          loop.execute(() -> kept.accept(true));
        }

        @Override
        public void release(Executor loop, Consumer<Boolean> released) {
          loop.execute(() -> released.accept(true));
        }
      };

  /** Returns whether there is a corrupted store that has not been released. */
  boolean isPending();

  /**
   * Starts to read from the first record that is left and drops the position of any earlier
   * reading.
   */
  void begin();

  /**
   * Reads the next page; the caller is done with the records of the last one. One call at a time.
   * After a failure, the next call begins the store that failed again.
   *
   * @param limits limits of the page
   * @param loop executor of the reply
   */
  void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter);

  /** Returns whether records with a single copy were read before files were deleted. */
  boolean hadSingleCopies();

  /**
   * Deletes files that contain only records of pages before the last one, which are stored again
   * durably or not needed. The unreadable key ranges of these files are recorded first.
   *
   * @param areAllStored whether this is also true of the last page, and there is no other
   * @param hasSingleCopies whether records with a single copy were read
   * @param loop executor of {@code done}, which also runs after a failure
   */
  void makeRoom(boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done);

  /** Keys whose records could not be restored from anywhere. */
  LostKeys lost();

  /**
   * Replaces the lost keys.
   *
   * @param loop executor of the reply
   * @param kept receives whether the change is durable; a failure is logged
   */
  void keepLost(LostKeys lost, Executor loop, Consumer<Boolean> kept);

  /**
   * Records that all readable records are stored again and confirmed. The stores may then be
   * deleted when space is needed. Those set aside since {@link #begin} stay pending.
   *
   * @param loop executor of the reply
   * @param released receives whether that is recorded; else the release has to be repeated
   */
  void release(Executor loop, Consumer<Boolean> released);
}
