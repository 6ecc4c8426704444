package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records, hints and marks of one node, above an {@link Engine}.
 *
 * <p>Reads run on the caller's thread if memory has the data, otherwise in a bounded pool. Writes
 * go through the {@link GroupCommit}. After {@link #close}, all requests are rejected as failed.
 */
public final class RecordStore implements Store {
  private static final Logger log = LoggerFactory.getLogger(RecordStore.class);

  private final StoreSettings settings;
  private final Engine engine;
  private final Gate readGate = new Gate();
  private final CorruptionDetector alarm;
  private final FailureLog readFailures;
  private final FailureLog writeFailures;
  private final RecordReads reads;
  private final RecordScan scans;
  private final DiskPool readPool;
  private final DiskPool scanPool;
  private final GroupCommit commits;
  private final StoredHints hints;
  private final DiskSpace disk;
  private final StoreTimer timer;
  private final SpaceReclaimer reclaimer;
  private final Purges purges;
  private final StoredMarks marks;
  private final StoreShutdown shutdown;

  private RecordStore(
      StoreSettings settings,
      Engine engine,
      VersionCache versions,
      StoreProbes probes,
      Consumer<String> onCorruption,
      StoreThreads threads)
      throws EngineException, CorruptRecordException {
    this.settings = settings;
    this.engine = engine;
    this.alarm = new CorruptionDetector(onCorruption);
    this.readFailures = new FailureLog(log, alarm);
    this.writeFailures = new FailureLog(log, alarm);
    this.purges = new Purges(engine);
    this.marks = new StoredMarks(engine, mark -> write(mark, false, mark.waiter()));
    ChecksumVerifier verifier = probes.verifier();
    HintLedger ledger = new HintLedger(settings.hintBytesMax());
    StoredHints.recount(engine, ledger, readFailures);
    this.disk = new DiskSpace(probes.freeBytes(), settings.storage().diskFreeMinBytes());
    this.reads = new RecordReads(engine, versions, readGate, readFailures, verifier);
    this.scans = new RecordScan(engine, readGate, readFailures, verifier);
    this.readPool = DiskPool.reads(settings.storage(), readFailures, threads);
    this.scanPool = DiskPool.scans(settings.storage(), readFailures, threads);
    StoreMemory memory = new StoreMemory(ledger, purges, marks, versions);
    CommitBatch batch =
        new CommitBatch(engine, settings.durability(), memory, writeFailures, verifier);
    this.commits =
        new GroupCommit(
            engine, settings.storage(), batch, writeFailures, probes.commits(), threads);
    this.hints = new StoredHints(engine, readGate, commits, ledger, readFailures, verifier);
    this.timer = threads.timer("kvorum-store-timer", writeFailures);
    this.reclaimer = new SpaceReclaimer(engine, purges, settings.storage(), writeFailures, threads);
    this.shutdown =
        new StoreShutdown(
            // The log completes a store that is never closed at its next start.
            () -> {
              commits.free();
              versions.close();
              engine.close();
            },
            commits::rejectMore,
            commits::close,
            timer::close,
            reclaimer::close,
            readPool::close,
            scanPool::close,
            readGate::close);
  }

  /**
   * Starts a store on an engine, which it closes with itself. Blocks.
   *
   * @throws StoreOpenException if the stored data cannot be read
   */
  public static RecordStore on(
      Engine engine,
      StoreSettings settings,
      StoreProbes probes,
      Consumer<String> onCorruption,
      StoreThreads threads) {
    VersionCache versions = threads.versionCache(settings.versionCacheBytes());
    try {
      RecordStore store =
          new RecordStore(settings, engine, versions, probes, onCorruption, threads);
      store.start();
      return store;
    } catch (EngineException | CorruptRecordException e) {
      versions.close();
      engine.close();
      throw StoreOpenException.of(settings.directory(), e);
    }
  }

  private void start() {
    commits.start();
    timer.every(settings.storage().syncInterval(), commits::syncIfNeeded);
    timer.every(settings.storage().syncInterval(), commits::persistSynced);
    timer.every(Duration.ofSeconds(1), disk::sample);
    timer.every(Duration.ofSeconds(1), commits::checkBackground);
    reclaimer.start();
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
    ReadResult known = reads.fromMemory(key, detail);
    if (known == null) {
      readPool.ask(() -> reads.fromDisk(key, detail), ReadResult.Unknown::new, loop, waiter);
    } else {
      waiter.reply(known);
    }
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    apply(new WriteOp.Apply(mutation, false, loop, waiter), disk.isNearlyFull());
  }

  private void apply(WriteOp.Apply op, boolean isDiskFull) {
    write(op, isDiskFull && !op.mutation().record().tombstone(), op.waiter());
  }

  @Override
  public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    apply(new WriteOp.Apply(mutation, true, loop, waiter), disk.isNearlyFull());
  }

  @Override
  public void applySalvaged(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    apply(new WriteOp.Apply(mutation, true, loop, waiter), disk.isReserveUsed());
  }

  @Override
  public void scan(
      KeyRange range,
      KeyOrder order,
      Detail detail,
      ScanLimits limits,
      Executor loop,
      Waiter<ScanResult> waiter) {
    scanPool.ask(
        () -> scans.page(range, order, detail, limits), ScanResult.Unknown::new, loop, waiter);
  }

  @Override
  public void expire(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.EXPIRE, loop, waiter), false, waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    write(new WriteOp.Restore(mutation, loop, waiter), disk.isNearlyFull(), waiter);
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.REMOVE, loop, waiter), false, waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    write(new WriteOp.Retire(key, version, WriteOp.Fate.DROP, loop, waiter), false, waiter);
  }

  @Override
  public long purgedUpTo() {
    return purges.newestStamp();
  }

  @Override
  public long newestStamp() {
    return commits.newestStamp();
  }

  public MarkStore marks() {
    return marks;
  }

  private void write(WriteOp op, boolean isDiskFull, Waiter<WriteResult> waiter) {
    RejectReason rejection = isDiskFull ? RejectReason.DISK_FULL : commits.offer(op);
    if (rejection != null) {
      waiter.reply(new WriteResult.Rejected(rejection));
    }
  }

  /** The hints in this store; they close with it. */
  public HintStore hints() {
    return hints;
  }

  @Override
  public boolean isNearlyFull() {
    return disk.isNearlyFull();
  }

  @Override
  public long diskFreeBytes() {
    return disk.freeBytes();
  }

  /** Whether writes work, and what has to be done if they do not. */
  public StoreHealth health() {
    return commits.health();
  }

  public boolean isCorrupted() {
    return alarm.isRaised();
  }

  /** The engine, for tests. */
  public Engine engine() {
    return engine;
  }

  /** Current statistics. Takes locks in RocksDB; not for event loops. */
  public StoreStats stats() {
    return new StoreStats(
        commits.queued(),
        commits.queuedBytes(),
        readPool.queued(),
        scanPool.queued(),
        reads.memoryReads(),
        reads.diskReads(),
        reads.versionHits(),
        reads.versionMisses(),
        readFailures.count(),
        writeFailures.count(),
        hints.dropped(),
        disk.freeBytes(),
        EngineStats.of(engine, readGate, readFailures));
  }

  /**
   * Writes a copy of the store to a new directory, with each write that was acknowledged before the
   * call. Blocks.
   */
  public void checkpoint(Path directory) throws EngineException {
    readGate.run(() -> engine.checkpoint(directory));
  }

  /** Writes records from the log to tables. Blocks; not concurrently with {@link #close}. */
  public void flush() {
    try {
      engine.flush();
    } catch (EngineException e) {
      writeFailures.noteHarmless("cannot flush a corrupted store", e);
    }
  }

  @Override
  public void close() {
    if (!closeIfUnused(settings.closeTimeout())) {
      log.warn("{} is left open: a read or write does not end", settings.directory());
    }
  }

  /** Closes the store; false if files stay in use, since a thread inside does not end in time. */
  public boolean closeIfUnused(Duration timeout) {
    return shutdown.run(timeout);
  }
}
