package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks that block, one after the other: a platform thread in a node. */
public interface TaskThread extends Executor, AutoCloseable {
  /**
   * Runs a task later.
   *
   * @throws RejectedExecutionException after {@link #shutdown}
   */
  @Override
  void execute(Runnable task);

  /** Runs a task and waits for its end; not for the thread itself. */
  void runNow(Runnable task);

  /**
   * Runs a task again and again with a pause before each run, until {@link #shutdown}. A task that
   * fails is logged and run again.
   */
  void every(Duration pause, Runnable task);

  /** Accepts no further tasks. Does not wait. */
  void shutdown();

  /** The same, and waits for those that were accepted. */
  @Override
  void close();
}
