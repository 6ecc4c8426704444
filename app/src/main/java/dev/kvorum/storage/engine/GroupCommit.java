package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.CommitListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: all operations queued during an fsync share the next one, which {@link
 * CommitBatch#write} issues. With durability {@code async}, {@link #syncIfNeeded} issues it later.
 *
 * <p>With one writer, a version check and the write after it need no lock, and batches grow with
 * the load.
 */
final class GroupCommit implements CommitQueue.Batches {
  private final Gate gate = new Gate();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final StorageSettings limits;
  private final Engine engine;
  private final CommitBatch batch;
  private final CommitListener probe;
  private final FailureLog failures;
  private final BackgroundErrors background;
  private final CommitQueue queue;
  private long beganNanos;
  private volatile boolean writeFailed;
  private volatile boolean syncFailed;
  private volatile boolean unsynced;

  /**
   * Creates a group commit that has not started.
   *
   * @param batch filled with one batch after the other; freed with this group commit
   */
  GroupCommit(
      Engine engine,
      StorageSettings limits,
      CommitBatch batch,
      FailureLog failures,
      CommitListener probe,
      StoreThreads threads) {
    this.limits = limits;
    this.engine = engine;
    this.batch = batch;
    this.probe = probe;
    this.failures = failures;
    this.background = new BackgroundErrors(engine, failures);
    this.queue = threads.commits(this, limits.writeQueueMax(), failures);
  }

  void start() {
    queue.start();
  }

  /** Queues an operation; returns why not if the store is closed or the queue is full. */
  @Nullable RejectReason offer(WriteOp op) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return RejectReason.STORAGE_FAILED;
    }
    try {
      return queue(op) ? null : RejectReason.OVERLOADED;
    } finally {
      gate.leave(ticket);
    }
  }

  /** Admits no further operation; returns false if a thread that offers one takes too long. */
  boolean rejectMore(Duration timeout) {
    return gate.close(timeout);
  }

  private boolean queue(WriteOp op) {
    long bytes = op.heapBytes();
    long before = queuedBytes.getAndAdd(bytes);
    // A single operation is always admitted, regardless of its size.
    if ((before > 0 && before + bytes > limits.queuedBytesMax()) || !queue.offer(op)) {
      queuedBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  StoreHealth health() {
    if (queue.isBroken()) {
      return StoreHealth.BROKEN;
    }
    if (background.isStopped()) {
      return StoreHealth.STOPPED;
    }
    return writeFailed || syncFailed ? StoreHealth.FAILS : StoreHealth.WORKS;
  }

  /** Upper bound of the stamps of all records that were ever stored. Safe for any thread. */
  long newestStamp() {
    return batch.newestStamp();
  }

  int queued() {
    return queue.queued();
  }

  long queuedBytes() {
    return queuedBytes.get();
  }

  @Override
  public boolean add(WriteOp op) {
    if (batch.ops() == 0) {
      beganNanos = System.nanoTime();
    }
    batch.add(op);
    return batch.ops() < limits.batchWritesMax() && batch.heapBytes() < limits.batchedBytesMax();
  }

  @Override
  public boolean needsSync() {
    return batch.needsSync();
  }

  @Override
  public void commit() {
    int ops = batch.ops();
    CommitBatch.Outcome written = batch.write();
    note(written);
    queuedBytes.addAndGet(-batch.takeHeapBytes());
    batch.finish(written);
    probe.committed(ops, System.nanoTime() - beganNanos);
  }

  @Override
  public void reject(WriteOp op) {
    batch.reject(op);
  }

  @Override
  public void abandon() {
    queuedBytes.addAndGet(-batch.takeHeapBytes());
    batch.abandon();
  }

  private void note(CommitBatch.Outcome outcome) {
    switch (outcome) {
      case NOTHING_TO_WRITE -> {}
      case WRITTEN_UNSYNCED -> {
        writeFailed = false;
        unsynced = true;
      }
      case SYNCED -> {
        writeFailed = false;
        // The fsync covered the entire log.
        unsynced = false;
      }
      case FAILED -> writeFailed = true;
    }
  }

  /** Syncs writes that did not wait for an fsync. Blocks; called by one timer thread. */
  void syncIfNeeded() {
    if (!unsynced && !syncFailed) {
      return;
    }
    unsynced = false;
    try {
      // Later writes may miss this sync.
      long written = engine.sequence();
      engine.syncLog();
      engine.recordSynced(written);
      syncFailed = false;
    } catch (EngineException | IOException | RuntimeException | Error e) {
      syncFailed = true;
      failures.note("cannot sync the write-ahead log", e);
    }
  }

  /** Checks for errors for which no operation waits. Blocks; called by one timer thread. */
  void checkBackground() {
    background.look();
  }

  /** Makes the record of the synced sequence durable. Blocks; called by one timer thread. */
  void persistSynced() {
    try {
      engine.persistSynced();
    } catch (IOException e) {
      failures.noteHarmless("cannot sync the record of how far the log is synced", e);
    }
  }

  /**
   * Commits the queued operations and stops. No operation may be offered afterwards.
   *
   * @return false if a batch is still in progress and uses the engine
   */
  boolean close(Duration timeout) {
    if (!queue.close(timeout)) {
      return false;
    }
    syncIfNeeded();
    return true;
  }

  /** Frees native memory; allowed only after {@link #close} has returned true. */
  void free() {
    batch.close();
  }
}
