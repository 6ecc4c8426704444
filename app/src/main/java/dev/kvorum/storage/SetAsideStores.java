package dev.kvorum.storage;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * Corrupted stores that were set aside and may hold the last copy of an acknowledged write. They
 * are kept until {@link #release}, however often the process ends in between. No method blocks.
 */
public interface SetAsideStores {
  /** There are none, ever. */
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
          loop.execute(() -> waiter.answer(new Salvaged.Page(List.of(), List.of(), true)));
        }

        @Override
        public LostKeys lost() {
          return LostKeys.NONE;
        }

        @Override
        public void keepLost(LostKeys lost, Executor loop, Runnable done) {
          loop.execute(done);
        }

        @Override
        public void release(Executor loop, Runnable done) {
          loop.execute(done);
        }
      };

  /** Whether there is a corrupted store that has not been released. */
  boolean isPending();

  /** Begins to read from the first record on; what was being read before is left. */
  void begin();

  /**
   * Reads on. One call at a time.
   *
   * @param limits of one page
   * @param loop where the answer is given
   */
  void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter);

  /** What could be had from nowhere. */
  LostKeys lost();

  /**
   * Keeps what could be had from nowhere, in place of what was kept before; durable if the disk
   * works, and logged if it does not.
   *
   * @param loop where {@code done} is run in either case
   */
  void keepLost(LostKeys lost, Executor loop, Runnable done);

  /**
   * Takes note that all that can be read has been stored again and confirmed; the stores may be
   * deleted when space is needed.
   *
   * @param loop where {@code done} is run, also when it failed and is to be done again later
   */
  void release(Executor loop, Runnable done);
}
