package dev.kvorum.storage;

import java.util.concurrent.Executor;

/**
 * Numbers that a node has to remember: how far its clock and its repairs have come. A store that
 * was lost has lost its marks too.
 */
public interface MarkStore {
  /** How far ahead of all given stamps the clock may go on, in Unix milliseconds. */
  String CLOCK_RESERVED = "high-water";

  /**
   * 1 in a store that took the place of a damaged one and has to be filled again from the others.
   * Whoever has filled it keeps a 0.
   */
  String SET_ASIDE = "set-aside";

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
   * Keeps a number under a name, with an fsync whatever the durability. Does not block; {@link
   * #mark} gives it from the answer on.
   *
   * @param number 0 or more
   * @param loop where the answer is given
   */
  void keepMark(String name, long number, Executor loop, Waiter<Applied> waiter);
}
