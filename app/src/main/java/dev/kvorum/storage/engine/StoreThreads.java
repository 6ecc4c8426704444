package dev.kvorum.storage.engine;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;

/** What a store takes from its process: threads of a node, or virtual time of a simulation. */
public interface StoreThreads {
  /** The threads of a node. */
  static StoreThreads platform() {
    return new PlatformThreads();
  }

  /** Creates a queue, not started, that commits one batch at a time. */
  CommitQueue commits(CommitQueue.Batches batches, int queueMax, FailureLog failures);

  /**
   * Creates a pool for tasks that block.
   *
   * @param waiting queue that bounds the waiting tasks
   * @param rejected receives the tasks that arrive when the queue is full or the pool is shut down
   */
  ExecutorService pool(
      String name, int threads, BlockingQueue<Runnable> waiting, RejectedExecutionHandler rejected);

  /**
   * Creates the cache of versions, with secret parameters of its hashes; in simulations with the
   * same ones in each run.
   */
  VersionCache versionCache(long bytes);

  /** A clock for durations. */
  long nanoTime();

  /** Creates a timer for periodic tasks that block. */
  StoreTimer timer(String name, FailureLog failures);
}
