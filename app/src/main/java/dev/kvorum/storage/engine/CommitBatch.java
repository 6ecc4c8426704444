package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.WriteResult;
import java.io.IOException;

/**
 * The writes that share one write-ahead log entry and one fsync. The writer thread fills, commits
 * and reuses it.
 *
 * <p>No write takes effect before {@link #write}, and all replies wait for {@link #finish}.
 */
final class CommitBatch implements AutoCloseable {
  private final Engine engine;
  private final boolean alwaysSync;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final HintBatch hints;
  private final BatchReplies replies;
  private final RecordBatch records;
  private final StoredMarks marks;
  private final EngineBatch batch;
  private boolean needsSync;
  private int ops;
  private long heapBytes;

  /** Outcome of {@link #write}. */
  enum Outcome {
    NOTHING_TO_WRITE,
    WRITTEN_UNSYNCED,
    SYNCED,
    FAILED
  }

  CommitBatch(
      Engine engine,
      Durability durability,
      StoreMemory memory,
      FailureLog failures,
      ChecksumVerifier verifier)
      throws EngineException, CorruptRecordException {
    this.engine = engine;
    this.alwaysSync = durability == Durability.SYNC;
    this.failures = failures;
    this.verifier = verifier;
    this.batch = engine.batch();
    this.hints = new HintBatch(engine, batch, memory.ledger());
    this.replies = new BatchReplies(failures);
    this.records = new RecordBatch(engine, batch, memory);
    this.marks = memory.marks();
  }

  long newestStamp() {
    return records.newestStamp();
  }

  int ops() {
    return ops;
  }

  long heapBytes() {
    return heapBytes;
  }

  /** The heap of the operations since the last call, in bytes. */
  long takeHeapBytes() {
    long taken = heapBytes;
    heapBytes = 0;
    return taken;
  }

  /** Returns whether {@link #write} waits for an fsync. */
  boolean needsSync() {
    return needsSync;
  }

  /** Adds an operation. A failing operation is rejected and does not affect the others. */
  void add(WriteOp op) {
    switch (op) {
      case WriteOp.Apply apply -> replies.add(apply.loop(), apply.waiter(), outcomeOf(apply));
      case WriteOp.Restore restore ->
          replies.add(restore.loop(), restore.waiter(), outcomeOf(restore));
      case WriteOp.Retire retire -> replies.add(retire.loop(), retire.waiter(), outcomeOf(retire));
      case WriteOp.KeepMark mark -> replies.add(mark.loop(), mark.waiter(), outcomeOf(mark));
      case WriteOp.KeepHint hint -> {
        try {
          hints.keep(hint);
        } catch (EngineException | RuntimeException e) {
          hints.drop(hint);
          failures.note("cannot keep a hint", e);
        }
      }
      case WriteOp.RemoveHints removal -> {
        try {
          hints.remove(removal);
        } catch (EngineException | RuntimeException e) {
          failures.note("cannot remove hints", e);
        }
      }
      case WriteOp.Stop stop -> {}
    }
    count(op);
  }

  private void count(WriteOp op) {
    ops++;
    heapBytes += op.heapBytes();
  }

  /** Adds an operation that fails; {@link #abandon} sends the reply. */
  void reject(WriteOp op) {
    switch (op) {
      case WriteOp.Apply apply -> replies.add(apply.loop(), apply.waiter(), BatchReplies.FAILED);
      case WriteOp.Restore restore ->
          replies.add(restore.loop(), restore.waiter(), BatchReplies.FAILED);
      case WriteOp.Retire retire ->
          replies.add(retire.loop(), retire.waiter(), BatchReplies.FAILED);
      case WriteOp.KeepMark mark -> replies.add(mark.loop(), mark.waiter(), BatchReplies.FAILED);
      case WriteOp.KeepHint hint -> hints.drop(hint);
      case WriteOp.RemoveHints _, WriteOp.Stop _ -> {}
    }
    count(op);
  }

  private WriteResult outcomeOf(WriteOp.Apply apply) {
    if (!apply.waiter().isWaiting()) {
      return new WriteResult.Rejected(RejectReason.EXPIRED);
    }
    try {
      WriteResult outcome = records.apply(apply.mutation(), apply.trusted());
      needsSync |= alwaysSync && outcome instanceof WriteResult.Stored;
      return outcome;
    } catch (EngineException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot apply a mutation", e);
      return BatchReplies.FAILED;
    }
  }

  private WriteResult outcomeOf(WriteOp.Restore restore) {
    if (!restore.waiter().isWaiting()) {
      return new WriteResult.Rejected(RejectReason.EXPIRED);
    }
    try {
      needsSync |= records.restore(restore.mutation()) && alwaysSync;
      return WriteResult.Stored.STORED;
    } catch (EngineException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot restore a record", e);
      return BatchReplies.FAILED;
    }
  }

  /** Needs no fsync: the tombstone purger repeats what a crash undoes here. */
  private WriteResult outcomeOf(WriteOp.Retire retire) {
    try {
      switch (retire.fate()) {
        case EXPIRE -> records.expire(retire.key(), retire.version());
        case REMOVE -> records.remove(retire.key(), retire.version(), true);
        case DROP -> records.remove(retire.key(), retire.version(), false);
      }
      return WriteResult.Stored.STORED;
    } catch (ChecksumMismatchException e) {
      verifier.mismatched(ChecksumVerifier.Place.STORE, retire.key(), e.version());
      return new WriteResult.Rejected(RejectReason.CHECKSUM_MISMATCH);
    } catch (EngineException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot retire a record", e);
      return BatchReplies.FAILED;
    }
  }

  private WriteResult outcomeOf(WriteOp.KeepMark mark) {
    try {
      marks.add(mark.name(), mark.number(), batch);
      needsSync = true;
      return WriteResult.Stored.STORED;
    } catch (EngineException | RuntimeException e) {
      failures.note("cannot keep the mark " + mark.name(), e);
      return BatchReplies.FAILED;
    }
  }

  /** Writes all operations; {@link #finish} sends the replies. */
  Outcome write() {
    if (batch.count() == 0) {
      return Outcome.NOTHING_TO_WRITE;
    }
    try {
      if (!needsSync) {
        batch.writeUnsynced();
        return Outcome.WRITTEN_UNSYNCED;
      }
      // The fsync of the group commit: no write is acknowledged before it returns.
      batch.writeSynced();
      noteSynced();
      return Outcome.SYNCED;
    } catch (EngineException | RuntimeException e) {
      failures.note("cannot write a batch", e);
      return Outcome.FAILED;
    }
  }

  private void noteSynced() {
    try {
      engine.recordSynced(engine.sequence());
    } catch (IOException e) {
      // The next batch records the number in the log.
      failures.noteHarmless("cannot record how far the log is synced", e);
    }
  }

  /** Sends all replies and empties the batch. */
  void finish(Outcome written) {
    boolean durable = written != Outcome.FAILED;
    hints.finish(durable);
    records.finish(durable);
    marks.finish(durable);
    clear();
    needsSync = false;
    ops = 0;
    replies.give(durable);
  }

  /** Rejects all operations; what the batch holds is never written. */
  void abandon() {
    ops = 0;
    replies.give(false);
  }

  private void clear() {
    try {
      batch.clear();
    } catch (EngineException e) {
      failures.noteHarmless("cannot record in the log how far it is synced", e);
    }
  }

  @Override
  public void close() {
    batch.close();
  }
}
