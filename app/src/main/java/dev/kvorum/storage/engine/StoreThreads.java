package dev.kvorum.storage.engine;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;

/** What a store runs on: threads of the platform in a node, virtual time in simulations. */
interface StoreThreads {
  /** Whatever commits batches, one at a time; not started yet. */
  CommitRunner commits(CommitRunner.Batches batches, int queueMax, FailureLog failures);

  /**
   * A pool for tasks that block.
   *
   * @param waiting bounds how many wait
   * @param refused takes those that come when that is full
   */
  ExecutorService pool(
      String name, int threads, BlockingQueue<Runnable> waiting, RejectedExecutionHandler refused);

  /** A thread for periodic tasks that block. */
  StoreTimer timer(String name, FailureLog failures);
}
