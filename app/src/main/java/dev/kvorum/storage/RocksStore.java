package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records, hints and clock mark of one node in a RocksDB database.
 *
 * <p>Reads are answered on the caller's thread when memory holds what they need and by a bounded
 * pool otherwise; every write goes through the {@link GroupCommit}. After {@link #close} everything
 * is refused as failed.
 */
public final class RocksStore implements Store {
  private static final Logger LOGGER = LoggerFactory.getLogger(RocksStore.class);

  private final RocksSettings settings;
  private final RocksDatabase database;
  private final Gate writeGate = new Gate();
  private final Gate readGate = new Gate();
  private final DamageAlarm alarm;
  private final FailureLog readFailures;
  private final FailureLog writeFailures;
  private final RecordReads reads;
  private final RecordScan scans;
  private final DiskPool readPool;
  private final DiskPool scanPool;
  private final GroupCommit commits;
  private final RocksHints hints;
  private final DiskSpace disk;
  private final StoreTimer timer;
  private final Reclaimer reclaimer;
  private final Removals removals;
  private final RocksMarks marks;
  private final LongAdder memoryReadCount = new LongAdder();
  private final LongAdder diskReadCount = new LongAdder();
  private final ReentrantLock closing = new ReentrantLock();
  private @Nullable Boolean letGo;

  private RocksStore(
      RocksSettings settings,
      RocksDatabase database,
      LongSupplier freeBytes,
      CommitProbe probe,
      ChecksumVerifier verifier,
      Consumer<String> onDamage)
      throws RocksDBException, CorruptRecordException {
    this.settings = settings;
    this.database = database;
    this.alarm = new DamageAlarm(onDamage);
    this.readFailures = new FailureLog(LOGGER, alarm);
    this.writeFailures = new FailureLog(LOGGER, alarm);
    this.removals = new Removals(database);
    this.marks = new RocksMarks(database, mark -> write(mark, mark.waiter()));
    HintLedger ledger = new HintLedger(settings.hintBytesMax());
    RocksHints.recount(database, ledger, readFailures);
    this.disk = new DiskSpace(freeBytes, settings.diskFreeMinBytes());
    this.reads = new RecordReads(database, readGate, readFailures, verifier);
    this.scans = new RecordScan(database, readGate, readFailures, verifier);
    this.readPool = new DiskPool("kvorum-read", settings.reads(), readFailures);
    this.scanPool = new DiskPool("kvorum-scan", settings.scans(), readFailures);
    this.commits =
        new GroupCommit(
            database, settings, ledger, removals, marks, writeFailures, verifier, probe);
    this.hints =
        new RocksHints(database, readGate, writeGate, commits, ledger, readFailures, verifier);
    this.timer = new StoreTimer("kvorum-store-timer", writeFailures);
    this.reclaimer = new Reclaimer(database, removals, settings.reclaim(), writeFailures);
  }

  /**
   * Opens the store of these settings, or makes an empty one. Blocks.
   *
   * @param freeBytes the disk's free space, or a negative number when it is not known
   * @param onDamage told once, on any thread, when files turn out to be damaged; must not block
   * @throws StoreOpenException when there is one that cannot be opened
   */
  static RocksStore open(
      RocksSettings settings,
      CommitProbe probe,
      LongSupplier freeBytes,
      ChecksumVerifier verifier,
      Consumer<String> onDamage) {
    RocksDatabase database = RocksDatabase.open(settings);
    try {
      RocksStore store = new RocksStore(settings, database, freeBytes, probe, verifier, onDamage);
      store.start();
      return store;
    } catch (RocksDBException | CorruptRecordException e) {
      database.close();
      throw StoreOpenException.of(settings.directory(), e);
    }
  }

  private void start() {
    commits.start();
    timer.every(settings.syncInterval(), commits::syncIfNeeded);
    timer.every(settings.syncInterval(), commits::persistSynced);
    timer.every(Duration.ofSeconds(1), disk::sample);
    timer.every(Duration.ofSeconds(1), new BackgroundErrors(database, writeFailures)::look);
    reclaimer.start();
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    Lookup known = reads.fromMemory(key, detail);
    if (known == null) {
      diskReadCount.increment();
      readPool.ask(() -> reads.fromDisk(key, detail), Lookup.Unknown::new, loop, waiter);
    } else {
      memoryReadCount.increment();
      waiter.answer(known);
    }
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    apply(mutation, false, loop, waiter);
  }

  private void apply(Mutation mutation, boolean trusted, Executor loop, Waiter<Applied> waiter) {
    if (!mutation.record().tombstone() && disk.isNearlyFull()) {
      waiter.answer(new Applied.Refused(Refusal.DISK_FULL));
      return;
    }
    write(new WriteOp.Apply(mutation, trusted, loop, waiter), waiter);
  }

  @Override
  public void adopt(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    apply(mutation, true, loop, waiter);
  }

  @Override
  public void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<Scanned> waiter) {
    scanPool.ask(() -> scans.page(range, detail, limits), Scanned.Unknown::new, loop, waiter);
  }

  @Override
  public void entomb(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.ENTOMB, loop, waiter), waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    if (disk.isNearlyFull()) {
      waiter.answer(new Applied.Refused(Refusal.DISK_FULL));
    } else {
      write(new WriteOp.Restore(mutation, loop, waiter), waiter);
    }
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.REMOVE, loop, waiter), waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.DROP, loop, waiter), waiter);
  }

  @Override
  public long removedUpTo() {
    return removals.newestStamp();
  }

  /** What this store remembers of its node. */
  public MarkStore marks() {
    return marks;
  }

  private void write(WriteOp op, Waiter<Applied> waiter) {
    Refusal refusal = refusalOf(op);
    if (refusal != null) {
      waiter.answer(new Applied.Refused(refusal));
    }
  }

  private @Nullable Refusal refusalOf(WriteOp op) {
    long ticket = writeGate.enter();
    if (ticket == 0) {
      return Refusal.STORAGE_FAILED;
    }
    try {
      return commits.offer(op) ? null : Refusal.OVERLOADED;
    } finally {
      writeGate.leave(ticket);
    }
  }

  /** The hints in this store; theirs is its life. */
  public HintStore hints() {
    return hints;
  }

  @Override
  public boolean isNearlyFull() {
    return disk.isNearlyFull();
  }

  /** Whether the last batch of writes failed. RocksDB may recover, as when space is freed. */
  public boolean isFailed() {
    return commits.isFailed();
  }

  /** Whether files turned out to be damaged. */
  public boolean isDamaged() {
    return alarm.isRaised();
  }

  /** What this store stands on, for tests that look beneath it. */
  RocksDatabase database() {
    return database;
  }

  /** The state at this moment. Takes locks in RocksDB; not for event loops. */
  public StoreStats stats() {
    return new StoreStats(
        commits.queued(),
        commits.queuedBytes(),
        readPool.queued(),
        scanPool.queued(),
        memoryReadCount.sum(),
        diskReadCount.sum(),
        readFailures.count(),
        writeFailures.count(),
        hints.dropped(),
        disk.freeBytes(),
        DatabaseFigures.of(database, settings.directory(), readGate, readFailures));
  }

  /** Puts what is in the log into tables as well. Blocks; not beside {@link #close}. */
  void flush() {
    try {
      database.flush();
    } catch (RocksDBException e) {
      writeFailures.noteHarmless("cannot flush a corrupted store", e);
    }
  }

  @Override
  public void close() {
    if (!letGo()) {
      LOGGER.warn("{} is left open: a read or write does not end", settings.directory());
    }
  }

  /**
   * Closes the store, as {@link #close}; at the second call it only says what came of the first.
   *
   * @return false when the files are still in use: a thread inside does not end
   */
  boolean letGo() {
    closing.lock();
    try {
      letGo = letGo == null ? closeOnce() : letGo;
      return letGo;
    } finally {
      closing.unlock();
    }
  }

  private boolean closeOnce() {
    long deadlineNanos = System.nanoTime() + settings.closeTimeout().toNanos();
    // Each step is taken even if the one before it did not end: what can be answered is.
    boolean quiet = writeGate.close(until(deadlineNanos));
    quiet &= commits.close(until(deadlineNanos));
    quiet &= timer.close(until(deadlineNanos));
    quiet &= reclaimer.close(until(deadlineNanos));
    quiet &= readPool.close(until(deadlineNanos));
    quiet &= scanPool.close(until(deadlineNanos));
    quiet &= readGate.close(until(deadlineNanos));
    if (quiet) {
      // A thread still inside would crash the process; the log makes an unclosed store whole.
      commits.free();
      reclaimer.free();
      reads.close();
      database.close();
    }
    return quiet;
  }

  private static Duration until(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }
}
