package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The writes that share one write-ahead log entry and one fsync; filled, committed and filled again
 * by the writer thread alone.
 *
 * <p>Nothing in it takes effect before {@link #write}: versions are checked against the database
 * and against what the batch itself holds for the key, and every answer waits.
 */
final class CommitBatch implements AutoCloseable {
  private final RocksDatabase database;
  private final RocksDB db;
  private final boolean alwaysSync;
  private final FailureLog failures;
  private final HintBatch hints;
  private final Answers answers;
  private final NewestStamps stamps;
  private final Removals removals;
  private final WriteBatch batch = new WriteBatch();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions().setSync(false);
  private final ReadOptions readOptions = new ReadOptions();
  private final byte[] header = new byte[RecordCodec.HEADER_BYTES];

  /**
   * The newest version of every key that was looked at, in the batch or in the database; {@link
   * Version#NONE} where the batch removes it.
   */
  private final Map<Key, Version> newest = new HashMap<>();

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
      FailureLog failures)
      throws RocksDBException, CorruptRecordException {
    this.database = database;
    this.db = database.db();
    this.alwaysSync = durability == Durability.SYNC;
    this.failures = failures;
    this.hints = new HintBatch(database, batch, ledger);
    this.answers = new Answers(failures);
    this.stamps = new NewestStamps(database);
    this.removals = removals;
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
    try {
      return apply.waiter().isWaiting()
          ? stage(apply.mutation(), apply.trusted())
          : new Applied.Refused(Refusal.EXPIRED);
    } catch (RocksDBException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot apply a mutation", e);
      return Answers.FAILED;
    }
  }

  private Applied stage(Mutation mutation, boolean trusted)
      throws RocksDBException, CorruptRecordException {
    Key key = mutation.key();
    Version mine = mutation.record().version();
    if (!stamps.isPassedBy(mine.stamp(), key)) {
      Version there = newestOf(key);
      if (!there.equals(Version.NONE) && !mine.isNewerThan(there)) {
        newest.put(key, there);
        return mine.equals(there) ? Applied.Stored.STORED : new Applied.Superseded(there);
      }
      if (there.equals(Version.NONE) && !trusted && removals.mayHide(mine.stamp())) {
        return new Applied.Refused(Refusal.TOO_OLD);
      }
    }
    stamps.add(mine.stamp(), key, batch);
    batch.put(database.records(), key.bytes(), RecordCodec.encode(mutation.record()));
    newest.put(key, mine);
    needsSync |= alwaysSync;
    return Applied.Stored.STORED;
  }

  private Version newestOf(Key key) throws RocksDBException, CorruptRecordException {
    Version inBatch = newest.get(key);
    return inBatch != null ? inBatch : stored(key);
  }

  private Version stored(Key key) throws RocksDBException, CorruptRecordException {
    byte[] bytes = key.bytes();
    int length =
        db.get(database.records(), readOptions, bytes, 0, bytes.length, header, 0, header.length);
    return length == RocksDB.NOT_FOUND
        ? Version.NONE
        : RecordCodec.version(ByteBuffer.wrap(header), length);
  }

  private Applied outcomeOf(WriteOp.KeepMark mark) {
    try {
      batch.put(database.meta(), RocksMarks.key(mark.name()), MetaNumber.encode(mark.number()));
      needsSync = true;
      return Applied.Stored.STORED;
    } catch (RocksDBException | RuntimeException e) {
      failures.note("cannot keep the mark " + mark.name(), e);
      return Answers.FAILED;
    }
  }

  private Applied outcomeOf(WriteOp.Retire retire) {
    try {
      // What this very batch touches is left alone: whoever keeps the store tidy comes again.
      if (!newest.containsKey(retire.key()) && retire.version().equals(stored(retire.key()))) {
        retire(retire);
      }
      return Applied.Stored.STORED;
    } catch (RocksDBException | CorruptRecordException | RuntimeException e) {
      failures.note("cannot retire a record", e);
      return Answers.FAILED;
    }
  }

  private void retire(WriteOp.Retire retire) throws RocksDBException {
    Key key = retire.key();
    if (retire.remove()) {
      if (RecordCodec.isTombstone(ByteBuffer.wrap(header))) {
        removals.add(retire.version().stamp(), batch);
      }
      batch.delete(database.records(), key.bytes());
      newest.put(key, Version.NONE);
    } else {
      int from = RecordCodec.from(ByteBuffer.wrap(header));
      Versioned tombstone = Versioned.tombstone(retire.version(), from);
      batch.put(database.records(), key.bytes(), RecordCodec.encode(tombstone));
      newest.put(key, retire.version());
    }
  }

  /** Writes all that was added; nobody hears of it before {@link #finish}. */
  Outcome write() {
    if (batch.count() == 0) {
      return Outcome.NOTHING_TO_WRITE;
    }
    try {
      db.write(needsSync ? synced : unsynced, batch);
      return needsSync ? Outcome.SYNCED : Outcome.WRITTEN_UNSYNCED;
    } catch (RocksDBException | RuntimeException e) {
      failures.note("cannot write a batch", e);
      return Outcome.FAILED;
    }
  }

  /** Gives every answer and leaves the batch empty. */
  void finish(Outcome written) {
    boolean durable = written != Outcome.FAILED;
    hints.settle(durable);
    stamps.settle(durable);
    removals.settle(durable);
    batch.clear();
    newest.clear();
    needsSync = false;
    ops = 0;
    heapBytes = 0;
    answers.give(durable);
  }

  @Override
  public void close() {
    batch.close();
    synced.close();
    unsynced.close();
    readOptions.close();
  }
}
