package dev.kvorum.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscBlockingConsumerArrayQueue;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: whatever queued up during an fsync shares the next one.
 *
 * <p>One writer, so that a version check and the write after it need no lock, and the batches grow
 * with the load by themselves.
 */
final class GroupCommit {
  private static final Logger LOGGER = LoggerFactory.getLogger(GroupCommit.class);

  private final MpscBlockingConsumerArrayQueue<WriteOp> queue;
  private final AtomicLong queuedBytes = new AtomicLong();
  private final RocksSettings.WriteLimits limits;
  private final RocksDatabase database;
  private final CommitBatch batch;
  private final CommitProbe probe;
  private final FailureLog failures;
  private final Thread writer;
  private volatile boolean writeFailed;
  private volatile boolean syncFailed;
  private volatile boolean unsynced;

  GroupCommit(
      RocksDatabase database,
      RocksSettings settings,
      HintLedger ledger,
      Removals removals,
      RocksMarks marks,
      FailureLog failures,
      ChecksumVerifier verifier,
      CommitProbe probe)
      throws RocksDBException, CorruptRecordException {
    this.limits = settings.writes();
    this.queue = new MpscBlockingConsumerArrayQueue<>(limits.queueMax());
    this.database = database;
    this.batch =
        new CommitBatch(
            database, settings.durability(), ledger, removals, marks, failures, verifier);
    this.probe = probe;
    this.failures = failures;
    this.writer = Thread.ofPlatform().daemon().name("kvorum-write").unstarted(this::run);
  }

  void start() {
    writer.start();
  }

  /** Queues an operation; false when there are too many or they hold too many bytes. */
  boolean offer(WriteOp op) {
    long bytes = op.heapBytes();
    long before = queuedBytes.getAndAdd(bytes);
    // One operation alone is always let in, however large it is.
    if ((before > 0 && before + bytes > limits.queueBytesMax()) || !queue.offer(op)) {
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
    return queue.size();
  }

  long queuedBytes() {
    return queuedBytes.get();
  }

  private void run() {
    boolean stopping = false;
    while (!stopping) {
      try {
        stopping = fillAndCommit(queue.take());
      } catch (InterruptedException e) {
        // Nobody is meant to; what is queued is owed an answer all the same.
        LOGGER.warn("the writer thread was interrupted and goes on");
      } catch (RuntimeException e) {
        failures.note("a batch ended unexpectedly", e);
      }
    }
  }

  /** One batch: the first operation and what is there without waiting. */
  private boolean fillAndCommit(WriteOp first) {
    boolean stopping = false;
    long beganNanos = System.nanoTime();
    WriteOp next = first;
    while (next != null) {
      batch.add(next);
      stopping |= next instanceof WriteOp.Stop;
      boolean full =
          batch.ops() >= limits.batchWritesMax() || batch.heapBytes() >= limits.batchBytesMax();
      next = full || stopping ? null : queue.poll();
    }
    int ops = batch.ops();
    long bytes = batch.heapBytes();
    CommitBatch.Outcome written = batch.write();
    settle(written);
    queuedBytes.addAndGet(-bytes);
    batch.finish(written);
    probe.committed(ops, System.nanoTime() - beganNanos);
    return stopping;
  }

  private void settle(CommitBatch.Outcome outcome) {
    switch (outcome) {
      case NOTHING_TO_WRITE -> {}
      case WRITTEN_UNSYNCED -> {
        writeFailed = false;
        unsynced = true;
      }
      case SYNCED -> {
        writeFailed = false;
        // The fsync was of the whole log.
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
      long written = database.sequence();
      database.db().syncWal();
      database.recordSynced(written);
      syncFailed = false;
    } catch (RocksDBException | IOException | RuntimeException e) {
      syncFailed = true;
      failures.note("cannot sync the write-ahead log", e);
    }
  }

  /** Makes the record of how far the log is synced durable. Blocks; called by one timer thread. */
  void persistSynced() {
    try {
      database.persistSynced();
    } catch (IOException e) {
      failures.noteHarmless("cannot sync the record of how far the log is synced", e);
    }
  }

  /**
   * Finishes what is queued and stops. Nothing may be offered any more.
   *
   * @return false when the thread has not stopped in time and still uses the database
   */
  boolean close(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      while (!queue.offer(new WriteOp.Stop())) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (!writer.join(Duration.ofMillis(Math.max(1, leftMillis)))) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    syncIfNeeded();
    return true;
  }

  /** Frees what is native; only after {@link #close} said true. */
  void free() {
    batch.close();
  }
}
