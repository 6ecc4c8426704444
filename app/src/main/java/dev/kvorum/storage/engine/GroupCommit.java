package dev.kvorum.storage.engine;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Group commit: all that was queued during an fsync shares the next one.
 *
 * <p>One writer, so that a version check and the write after it need no lock, and the batches grow
 * with the load by themselves.
 */
final class GroupCommit implements CommitRunner.Batches {
  private final AtomicLong queuedBytes = new AtomicLong();
  private final StorageSettings limits;
  private final Engine engine;
  private final CommitBatch batch;
  private final CommitListener probe;
  private final FailureLog failures;
  private final CommitRunner runner;
  private long beganNanos;
  private volatile boolean writeFailed;
  private volatile boolean syncFailed;
  private volatile boolean unsynced;

  GroupCommit(
      Engine engine,
      StoreSettings settings,
      HintLedger ledger,
      Removals removals,
      StoredMarks marks,
      FailureLog failures,
      ChecksumVerifier verifier,
      CommitListener probe,
      StoreThreads threads)
      throws EngineException, CorruptRecordException {
    this.limits = settings.storage();
    this.engine = engine;
    this.batch =
        new CommitBatch(engine, settings.durability(), ledger, removals, marks, failures, verifier);
    this.probe = probe;
    this.failures = failures;
    this.runner = threads.commits(this, limits.writeQueueMax(), failures);
  }

  void start() {
    runner.start();
  }

  /** Queues an operation; false when there are too many or they hold too many bytes. */
  boolean offer(WriteOp op) {
    long bytes = op.heapBytes();
    long before = queuedBytes.getAndAdd(bytes);
    // A single operation is always admitted, regardless of its size.
    if ((before > 0 && before + bytes > limits.queuedBytesMax()) || !runner.offer(op)) {
      queuedBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Whether the last batch, or the last fsync behind it, failed. */
  boolean isFailed() {
    return writeFailed || syncFailed;
  }

  int queued() {
    return runner.queued();
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
    long bytes = batch.heapBytes();
    CommitBatch.Outcome written = batch.write();
    note(written);
    queuedBytes.addAndGet(-bytes);
    batch.finish(written);
    probe.committed(ops, System.nanoTime() - beganNanos);
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

  /** Makes durable what was written without an fsync. Blocks; called by one timer thread. */
  void syncIfNeeded() {
    if (!unsynced && !syncFailed) {
      return;
    }
    unsynced = false;
    try {
      // What is written from here on may miss this sync.
      long written = engine.sequence();
      engine.syncLog();
      engine.recordSynced(written);
      syncFailed = false;
    } catch (EngineException | IOException | RuntimeException e) {
      syncFailed = true;
      failures.note("cannot sync the write-ahead log", e);
    }
  }

  /** Makes the record of how far the log is synced durable. Blocks; called by one timer thread. */
  void persistSynced() {
    try {
      engine.persistSynced();
    } catch (IOException e) {
      failures.noteHarmless("cannot sync the record of how far the log is synced", e);
    }
  }

  /**
   * Commits what is queued and stops. Nothing may be offered any more.
   *
   * @return false when a batch is still under way and uses the engine
   */
  boolean close(Duration timeout) {
    if (!runner.close(timeout)) {
      return false;
    }
    syncIfNeeded();
    return true;
  }

  /** Frees native memory; only after {@link #close} returned true. */
  void free() {
    batch.close();
  }
}
