package dev.kvorum.storage.engine;

import java.time.Duration;

/** Queues write operations and commits them in batches, one batch at a time. */
interface CommitQueue {
  /** A batch that one thread at a time fills and commits. */
  interface Batches {
    /** Adds an operation. Returns false when the batch has to be committed before the next one. */
    boolean add(WriteOp op);

    /** Returns whether the commit waits for an fsync. */
    boolean needsSync();

    /** Writes the batch and replies to its operations. Blocks as long as the disk does. */
    void commit();

    /** Adds an operation to be rejected, also after {@link #add} has failed on it. */
    void reject(WriteOp op);

    /** Rejects the operations that still wait for {@link #commit}. Writes nothing. */
    void abandon();
  }

  void start();

  /** Queues an operation; returns false when the queue is full. Safe for any thread. */
  boolean offer(WriteOp op);

  int queued();

  /** Returns whether all operations are rejected until the process is restarted. */
  boolean isBroken();

  /**
   * Commits the queued operations and stops. No operation may be offered afterwards.
   *
   * @return false if a batch is still in progress after this time
   */
  boolean close(Duration timeout);
}
