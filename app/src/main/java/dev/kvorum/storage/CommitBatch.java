package dev.kvorum.storage;

import dev.kvorum.data.Refusal;
import java.io.IOException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The writes that share one write-ahead log entry and one fsync; filled, committed and filled again
 * by the writer thread alone.
 *
 * <p>Nothing in it takes effect before {@link #write}, and every answer waits.
 */
final class CommitBatch implements AutoCloseable {
  private final RocksDatabase database;
  private final boolean alwaysSync;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final HintBatch hints;
  private final Answers answers;
  private final RecordBatch records;
  private final RocksMarks marks;
  private final WriteBatch batch = new WriteBatch();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions().setSync(false);
  private boolean needsSync;
  private int ops;
  private long heapBytes;

  /** What became of a write. */
  enum Outcome {
    NOTHING_TO_WRITE,
    WRITTEN_UNSYNCED,
    SYNCED,
    FAILED
  }

  CommitBatch(
      RocksDatabase database,
      Durability durability,
      HintLedger ledger,
      Removals removals,
      RocksMarks marks,
      FailureLog failures,
      ChecksumVerifier verifier)
      throws RocksDBException, CorruptRecordException {
    this.database = database;
    this.alwaysSync = durability == Durability.SYNC;
    this.failures = failures;
    this.verifier = verifier;
    this.hints = new HintBatch(database, batch, ledger);
    this.answers = new Answers(failures);
    this.records = new RecordBatch(database, batch, removals);
    this.marks = marks;
    claimSynced();
  }

  int ops() {
    return ops;
  }

  long heapBytes() {
    return heapBytes;
  }

  /** Adds an operation; one that fails is refused without harm to the others. */
  void add(WriteOp op) {
    ops++;
    heapBytes += op.heapBytes();
    switch (op) {
      case WriteOp.Apply apply -> answers.add(apply.loop(), apply.waiter(), outcomeOf(apply));
      case WriteOp.Restore restore ->
          answers.add(restore.loop(), restore.waiter(), outcomeOf(restore));
      case WriteOp.Retire retire -> answers.add(retire.loop(), retire.waiter(), outcomeOf(retire));
      case WriteOp.KeepMark mark -> answers.add(mark.loop(), mark.waiter(), outcomeOf(mark));
      case WriteOp.KeepHint hint -> {
        try {
          hints.keep(hint);
        } catch (RocksDBException | RuntimeException e) {
          hints.drop(hint);
          failures.note("cannot keep a hint", e);
        }
      }
      case WriteOp.ForgetHints forget -> {
        try {
          hints.forget(forget);
        } catch (RocksDBException | RuntimeException e) {
          failures.note("cannot forget hints", e);
        }
      }
      case WriteOp.Stop stop -> {}
    }
  }

  private Applied outcomeOf(WriteOp.Apply apply) {
    if (!apply.waiter().isWaiting()) {
      return new Applied.Refused(Refusal.EXPIRED);
    }
    try {
      Applied outcome = records.apply(apply.mutation(), apply.trusted());
      needsSync |= alwaysSync && outcome instanceof Applied.Stored;
      return outcome;
    } catch (RocksDBException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot apply a mutation", e);
      return Answers.FAILED;
    }
  }

  private Applied outcomeOf(WriteOp.Restore restore) {
    if (!restore.waiter().isWaiting()) {
      return new Applied.Refused(Refusal.EXPIRED);
    }
    try {
      needsSync |= records.restore(restore.mutation()) && alwaysSync;
      return Applied.Stored.STORED;
    } catch (RocksDBException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot restore a record", e);
      return Answers.FAILED;
    }
  }

  /** No fsync for it: what a crash undoes here is done again by whoever keeps the store tidy. */
  private Applied outcomeOf(WriteOp.Retire retire) {
    try {
      switch (retire.fate()) {
        case ENTOMB -> records.entomb(retire.key(), retire.version());
        case REMOVE -> records.remove(retire.key(), retire.version(), true);
        case DROP -> records.remove(retire.key(), retire.version(), false);
      }
      return Applied.Stored.STORED;
    } catch (ChecksumMismatchException e) {
      verifier.mismatched(ChecksumVerifier.Place.STORE, retire.key(), e.version());
      return new Applied.Refused(Refusal.CHECKSUM_MISMATCH);
    } catch (RocksDBException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot retire a record", e);
      return Answers.FAILED;
    }
  }

  private Applied outcomeOf(WriteOp.KeepMark mark) {
    try {
      marks.add(mark.name(), mark.number(), batch);
      needsSync = true;
      return Applied.Stored.STORED;
    } catch (RocksDBException | RuntimeException e) {
      failures.note("cannot keep the mark " + mark.name(), e);
      return Answers.FAILED;
    }
  }

  /** Writes all that was added; nobody hears of it before {@link #finish}. */
  Outcome write() {
    if (batch.count() == 0) {
      return Outcome.NOTHING_TO_WRITE;
    }
    try {
      database.db().write(needsSync ? synced : unsynced, batch);
      if (!needsSync) {
        return Outcome.WRITTEN_UNSYNCED;
      }
      noteSynced();
      return Outcome.SYNCED;
    } catch (RocksDBException | RuntimeException e) {
      failures.note("cannot write a batch", e);
      return Outcome.FAILED;
    }
  }

  private void noteSynced() {
    try {
      database.recordSynced(database.sequence());
    } catch (IOException e) {
      // The next batch carries the number in the log.
      failures.noteHarmless("cannot record how far the log is synced", e);
    }
  }

  /** Begins the batch with how far the log before it is synced; costs no sequence number. */
  private void claimSynced() throws RocksDBException {
    batch.putLogData(SyncClaims.encode(database.syncedSequence()));
  }

  /** Gives every answer and leaves the batch empty. */
  void finish(Outcome written) {
    boolean durable = written != Outcome.FAILED;
    hints.settle(durable);
    records.settle(durable);
    marks.settle(durable);
    clear();
    needsSync = false;
    ops = 0;
    heapBytes = 0;
    answers.give(durable);
  }

  private void clear() {
    batch.clear();
    try {
      claimSynced();
    } catch (RocksDBException e) {
      failures.noteHarmless("cannot note in the log how far it is synced", e);
    }
  }

  @Override
  public void close() {
    batch.close();
    synced.close();
    unsynced.close();
    records.close();
  }
}
