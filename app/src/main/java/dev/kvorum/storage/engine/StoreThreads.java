package dev.kvorum.storage.engine;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;

/** The threads of a store: platform threads in a node, virtual time in simulations. */
interface StoreThreads {
  /** Creates a runner, not started, that commits one batch at a time. */
  CommitRunner commits(CommitRunner.Batches batches, int queueMax, FailureLog failures);

  /**
   * Creates a pool for tasks that block.
   *
   * @param waiting queue that bounds the waiting tasks
   * @param refused receives the tasks that arrive when the queue is full
   */
  ExecutorService pool(
      String name, int threads, BlockingQueue<Runnable> waiting, RejectedExecutionHandler refused);

  /** Creates a timer for periodic tasks that block. */
  StoreTimer timer(String name, FailureLog failures);
}
