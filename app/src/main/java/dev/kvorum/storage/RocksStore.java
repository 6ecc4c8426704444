package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
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
  private final FailureLog readFailures = new FailureLog(LOGGER);
  private final FailureLog writeFailures = new FailureLog(LOGGER);
  private final RecordReads reads;
  private final DiskReads diskReads;
  private final GroupCommit commits;
  private final RocksHints hints;
  private final DiskSpace disk;
  private final StoreTimer timer;
  private final Removals removals;
  private final RocksMarks marks;
  private final LongAdder memoryReadCount = new LongAdder();
  private final LongAdder diskReadCount = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  private RocksStore(
      RocksSettings settings, RocksDatabase database, LongSupplier freeBytes, CommitProbe probe)
      throws RocksDBException, CorruptRecordException {
    this.settings = settings;
    this.database = database;
    this.removals = new Removals(database);
    this.marks = new RocksMarks(database, mark -> write(mark, mark.waiter()));
    HintLedger ledger = new HintLedger(settings.hintBytesMax());
    RocksHints.recount(database, ledger, readFailures);
    this.disk = new DiskSpace(freeBytes, settings.diskFreeMinBytes());
    this.reads = new RecordReads(database, readGate, readFailures);
    this.diskReads =
        new DiskReads(reads, new RecordScan(database, readGate, readFailures), settings.reads());
    this.commits = new GroupCommit(database, settings, ledger, removals, writeFailures, probe);
    this.hints = new RocksHints(database, readGate, writeGate, commits, ledger, readFailures);
    this.timer = new StoreTimer(writeFailures);
  }

  /**
   * Opens the store of these settings, or makes an empty one. Blocks.
   *
   * @throws StoreOpenException when there is one that cannot be opened
   */
  public static RocksStore open(RocksSettings settings, CommitProbe probe) {
    return open(settings, probe, () -> usableBytes(settings));
  }

  static RocksStore open(RocksSettings settings, CommitProbe probe, LongSupplier freeBytes) {
    RocksDatabase database = RocksDatabase.open(settings);
    try {
      RocksStore store = new RocksStore(settings, database, freeBytes, probe);
      store.start();
      return store;
    } catch (RocksDBException e) {
      database.close();
      throw StoreOpenException.of(settings.directory(), e);
    } catch (CorruptRecordException e) {
      database.close();
      throw StoreOpenException.damaged(settings.directory(), String.valueOf(e.getMessage()), e);
    }
  }

  private static long usableBytes(RocksSettings settings) {
    try {
      return Files.getFileStore(settings.directory()).getUsableSpace();
    } catch (IOException e) {
      LOGGER.warn("cannot ask for the free space of {}", settings.directory(), e);
      return -1;
    }
  }

  private void start() {
    commits.start();
    timer.every(settings.syncInterval(), commits::syncIfNeeded);
    timer.every(Duration.ofSeconds(1), disk::sample);
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    Lookup known = reads.fromMemory(key, detail);
    if (known == null) {
      diskReadCount.increment();
      diskReads.read(key, detail, loop, waiter);
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
    diskReads.scan(range, detail, limits, loop, waiter);
  }

  @Override
  public void entomb(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    write(new WriteOp.Retire(key, version, false, loop, waiter), waiter);
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    write(new WriteOp.Retire(key, version, true, loop, waiter), waiter);
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

  /** Samples the free space at once, as the timer does each second. Blocks. */
  void sampleDisk() {
    disk.sample();
  }

  /** The state at this moment. Takes locks in RocksDB; not for event loops. */
  public StoreStats stats() {
    long ticket = readGate.enter();
    DatabaseFigures figures = ticket == 0 ? DatabaseFigures.NONE : figuresThenLeave(ticket);
    return new StoreStats(
        commits.queued(),
        commits.queuedBytes(),
        diskReads.queued(),
        memoryReadCount.sum(),
        diskReadCount.sum(),
        readFailures.count(),
        writeFailures.count(),
        hints.dropped(),
        disk.freeBytes(),
        figures.cacheBytes(),
        figures.writeBufferBytes(),
        figures.tableBytes(),
        figures.compactionPendingBytes(),
        figures.recordsEstimated(),
        figures.writesStopped());
  }

  private DatabaseFigures figuresThenLeave(long ticket) {
    try {
      return DatabaseFigures.of(database);
    } catch (RocksDBException e) {
      readFailures.note("cannot read the database's figures", e);
      return DatabaseFigures.NONE;
    } finally {
      readGate.leave(ticket);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long deadlineNanos = System.nanoTime() + settings.closeTimeout().toNanos();
    // Each step is taken even if the one before it did not end: what can be answered is.
    boolean quiet = writeGate.close(until(deadlineNanos));
    quiet &= commits.close(until(deadlineNanos));
    quiet &= timer.close(until(deadlineNanos));
    quiet &= diskReads.close(until(deadlineNanos));
    quiet &= readGate.close(until(deadlineNanos));
    if (!quiet) {
      // A thread still inside would crash the process; the log makes an unclosed store whole.
      LOGGER.warn("{} is left open: a read or write does not end", settings.directory());
      return;
    }
    commits.free();
    reads.close();
    database.close();
  }

  private static Duration until(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }
}
