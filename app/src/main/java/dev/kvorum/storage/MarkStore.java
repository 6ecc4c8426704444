package dev.kvorum.storage;

import java.util.concurrent.Executor;

/**
 * Numbers that a node persists: the progress of its clock and its repairs. A lost store has lost
 * its marks too.
 */
public interface MarkStore {
  /** Up to where the clock may issue stamps, in Unix milliseconds. */
  String CLOCK_RESERVED = "high-water";

  /**
   * 1 in a store that took the place of a corrupted one and has to be rebuilt from the others. The
   * rebuild sets it to 0.
   */
  String SET_ASIDE = "set-aside";

  /**
   * 1 in a store that took the place of one that was reset: what is left of corrupted stores from
   * before may have been deleted, and that forgotten, by others. The rebuild sets it to 0.
   */
  String RESET = "reset";

  /**
   * These marks in the store that is in use now: once another one has taken its place they are
   * refused, and not written there.
   */
  default MarkStore ofThisStore() {
    return this;
  }

  /** The number under a name, as it is on disk; 0 when none was kept. Does not block. */
  long mark(String name);

  /**
   * Keeps a number under a name, with an fsync at any durability. Does not block; {@link #mark}
   * gives it from the answer on.
   *
   * @param number 0 or more
   * @param loop where the answer is given
   */
  void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter);
}
