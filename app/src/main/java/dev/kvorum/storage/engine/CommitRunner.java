package dev.kvorum.storage.engine;

import java.time.Duration;

/** Queues write operations and commits them in batches, one batch at a time. */
interface CommitRunner {
  /** A batch that one thread at a time fills and commits. */
  interface Batches {
    /** Adds an operation. Returns false when the batch has to be committed before the next one. */
    boolean add(WriteOp op);

    /** Returns whether the commit waits for an fsync. */
    boolean needsSync();

    /** Writes the batch and replies to its operations. Blocks as long as the disk does. */
    void commit();
  }

  void start();

  /** Queues an operation; returns false when the queue is full. Safe for any thread. */
  boolean offer(WriteOp op);

  int queued();

  /**
   * Commits the queued operations and stops. No operation may be offered afterwards.
   *
   * @return false if a batch is still in progress after this time
   */
  boolean close(Duration timeout);
}
