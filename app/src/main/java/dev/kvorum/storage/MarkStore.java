package dev.kvorum.storage;

import java.util.concurrent.Executor;

/**
 * Numbers that a node has to remember: how far its clock and its repairs have come. A store that
 * was lost has lost its marks too.
 */
public interface MarkStore {
  /** How far ahead of all given stamps the clock may go on, in Unix milliseconds. */
  String CLOCK_RESERVED = "high-water";

  /** The number under a name, as it is on disk or will be; 0 when none was kept. */
  long mark(String name);

  /**
   * Keeps a number under a name, with an fsync whatever the durability. Does not block.
   *
   * @param number 0 or more
   * @param loop where the answer is given
   */
  void keepMark(String name, long number, Executor loop, Waiter<Applied> waiter);
}
