package dev.kvorum.storage;

import java.util.concurrent.Executor;

/**
 * Numbers that a node persists: the progress of its clock and its repairs. If the store is lost,
 * its marks are lost too.
 */
public interface MarkStore {
  /** Bound of the stamps that the clock may issue, in Unix milliseconds. */
  String CLOCK_HIGH_WATER = "clock-high-water";

  /**
   * 1 in a store that replaced a corrupted one and has to be rebuilt from the peers. The rebuild
   * sets it to 0.
   */
  String SET_ASIDE = "set-aside";

  /**
   * 1 in a store that replaced a reset one. Peers may have deleted records of earlier corrupted
   * stores meanwhile and purged the tombstones. The rebuild sets it to 0.
   */
  String RESET = "reset";

  /** Number of the backup that is being restored into this store; 0 if none is. */
  String RESTORING = "restoring";

  /**
   * The marks of the current store. After a replacement of that store, they are rejected and not
   * written to the new one.
   */
  default MarkStore ofThisStore() {
    return this;
  }

  /** The number under a name, as it is on disk; 0 if there is none. Does not block. */
  long mark(String name);

  /**
   * Stores a number under a name, with an fsync at any durability. Does not block; {@link #mark}
   * returns the number once the reply has arrived.
   *
   * @param number 0 or more
   * @param loop executor of the reply
   */
  void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter);
}
