package dev.kvorum.storage.engine;

import java.time.Duration;

/** Queues write operations and commits them in batches, one batch at a time. */
interface CommitRunner {
  /** The batch that is filled and committed; by one thread at a time. */
  interface Batches {
    /** Adds an operation; false when the batch has to be committed before the next one. */
    boolean add(WriteOp op);

    /** Whether the commit of what was added waits for an fsync. */
    boolean needsSync();

    /** Writes what was added and answers it. Blocks as long as the disk does. */
    void commit();
  }

  void start();

  /** Queues an operation; false when there are too many. Any thread may call it. */
  boolean offer(WriteOp op);

  int queued();

  /**
   * Commits what is queued and stops. Nothing may be offered any more.
   *
   * @return false when a batch is still under way after this time
   */
  boolean close(Duration timeout);
}
