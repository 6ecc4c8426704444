package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.StoreSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionPriority;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.HistogramType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksObject;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB's options for one database, and the native objects behind them.
 *
 * <p>Native objects are closed in reverse order of their creation, and only after the database.
 */
public final class RocksOptions implements AutoCloseable {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private static final long DELETION_WINDOW = 1024;

  /** Short periods keep the bursts of a high rate short. */
  private static final long RATE_PERIOD_MICROS = 10_000;

  /** Number of logs kept for reuse, each as large as the write buffers that it belonged to. */
  private static final int RECYCLED_LOGS = 2;

  private final Deque<RocksObject> natives = new ArrayDeque<>();
  private final StoreSettings settings;
  private final Sizes sizes;
  private final Cache cache;
  private final Statistics statistics;
  private final DBOptions database;
  private final ColumnFamilyOptions records;
  private final ColumnFamilyOptions hints;
  private final ColumnFamilyOptions meta;

  /** Sizes and rates that follow from a node's memory and processors unless they are set. */
  private record Sizes(StoreSettings settings) {
    private static final int JOBS_MAX = 8;

    long writeBufferBytes() {
      long chosen = settings.storage().writeBufferBytes();
      return chosen == 0 ? settings.memoryBytes() / 8 : chosen;
    }

    int backgroundJobs() {
      int chosen = settings.storage().backgroundJobs();
      if (chosen > 0) {
        return chosen;
      }
      // A compaction that moves many records must not keep those of other families waiting.
      int least = settings.storage().storesBlobs() ? 4 : 2;
      return Math.clamp(Runtime.getRuntime().availableProcessors(), least, JOBS_MAX);
    }

    long compactionBytesPerSecondMax() {
      long chosen = settings.storage().compactionBytesPerSecondMax();
      if (chosen > 0) {
        return chosen;
      }
      return settings.storage().storesBlobs() ? 96 * MIB : 64 * MIB;
    }
  }

  public RocksOptions(StoreSettings settings) {
    this.settings = settings;
    this.sizes = new Sizes(settings);
    // Lock-free, unlike the LRU cache: event loops read from it concurrently. Entry charge 0 lets
    // it size itself; -1 lets it choose the shards; false exceeds the capacity rather than failing
    // reads.
    this.cache = own(new HyperClockCache(settings.blockCacheBytes(), 0, -1, false));
    // Counters only: a histogram would add a clock reading to every read or write.
    this.statistics = own(new Statistics(EnumSet.allOf(HistogramType.class)));
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    this.database = own(databaseOptions());
    BlockBasedTableConfig table = tableConfig(own(new BloomFilter(10)));
    // Above a quarter of the memory in total, the write buffer manager flushes buffers early.
    Options merging = own(mergingDeletions());
    this.records = own(withBlobs(familyOptions(merging, table, sizes.writeBufferBytes())));
    this.hints = own(familyOptions(merging, table, settings.memoryBytes() / 16));
    this.meta = own(familyOptions(merging, table, 64 * KIB));
  }

  public DBOptions database() {
    return database;
  }

  public ColumnFamilyOptions records() {
    return records;
  }

  ColumnFamilyOptions hints() {
    return hints;
  }

  public ColumnFamilyOptions meta() {
    return meta;
  }

  Statistics statistics() {
    return statistics;
  }

  long cacheBytes() {
    return cache.getUsage();
  }

  private <T extends RocksObject> T own(T made) {
    natives.push(made);
    return made;
  }

  /**
   * Options that every opening of a store needs, including a read-only one; the caller closes them.
   * Opening a store that tracks its logs without this option crashes the process.
   */
  static DBOptions recovery() {
    Properties unreachableBySetters = new Properties();
    // Does not open if a synced log is missing or shorter than before, instead of losing its
    // writes.
    unreachableBySetters.setProperty("track_and_verify_wals_in_manifest", "true");
    DBOptions options = DBOptions.getDBOptionsFromProps(unreachableBySetters);
    if (options == null) {
      throw new IllegalStateException("RocksDB does not support " + unreachableBySetters);
    }
    return options
        .setParanoidChecks(true)
        // Keeps all writes before the first unreadable record. WalCheck has verified that no synced
        // write is behind it.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery);
  }

  private DBOptions databaseOptions() {
    DBOptions options = recovery();
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        // An overwritten log has no new length to commit with each sync (ADR 0016).
        .setRecycleLogFileNum(RECYCLED_LOGS)
        .setMaxTotalWalSize(settings.storage().walBytesMax())
        // Every write reaches the operating system at once, so that kill -9 loses nothing.
        .setManualWalFlush(false)
        // Flush all families at once. A small family would prevent the recycling of logs, and
        // recovery could find tables of one family that are ahead of the readable log.
        .setAtomicFlush(true)
        // One writer thread: options for concurrent writers would only add cost.
        .setEnablePipelinedWrite(false)
        .setUnorderedWrite(false)
        .setTwoWriteQueues(false)
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false);
    boundMemoryAndDisk(options);
    boundLogs(options);
    return options;
  }

  private void boundMemoryAndDisk(DBOptions options) {
    options
        .setStatistics(statistics)
        // Charged to the cache, so that one number bounds both. It never stalls writes; the
        // families do.
        .setWriteBufferManager(
            own(new WriteBufferManager(settings.memoryBytes() / 4, cache, false)))
        .setMaxOpenFiles(settings.storage().openFilesMax())
        // Event loops must not delete files when they release the last iterator or version.
        .setAvoidUnnecessaryBlockingIO(true)
        .setMaxBackgroundJobs(sizes.backgroundJobs())
        .setMaxSubcompactions(1)
        .setRateLimiter(
            own(new RateLimiter(sizes.compactionBytesPerSecondMax(), RATE_PERIOD_MICROS)))
        // Without it, the rate of the limiter.
        .setDelayedWriteRate(settings.storage().delayedBytesPerSecond())
        .setCompactionReadaheadSize(512 * KIB)
        // Spread the write-back of tables and logs, and wait for it; otherwise one fsync waits for
        // all of it.
        .setBytesPerSync(256 * KIB)
        .setWalBytesPerSync(512 * KIB)
        .setStrictBytesPerSync(true)
        .setUseDirectIoForFlushAndCompaction(settings.storage().usesDirectIo())
        .setUseDirectReads(false)
        .setAllowMmapReads(false)
        .setAllowMmapWrites(false)
        .setMaxManifestFileSize(16 * MIB)
        // When space is free again after the disk was full, writes resume without a restart.
        .setMaxBgErrorResumeCount(Integer.MAX_VALUE);
  }

  /**
   * Stores large records in blob files. Collection is enabled without blob files too: it moves the
   * records in existing ones back into tables. At first it moves nothing (see {@link
   * RocksEngine#collectBlobs}).
   */
  private ColumnFamilyOptions withBlobs(ColumnFamilyOptions family) {
    long min = settings.storage().blobMinBytes();
    return family
        .setEnableBlobFiles(min > 0)
        .setMinBlobSize(min)
        .setBlobFileSize(settings.storage().blobFileBytes())
        .setBlobCompressionType(CompressionType.NO_COMPRESSION)
        .setBlobCompactionReadaheadSize(2 * MIB)
        .setEnableBlobGarbageCollection(true)
        .setBlobGarbageCollectionAgeCutoff(0)
        .setBlobGarbageCollectionForceThreshold(1);
  }

  private static void boundLogs(DBOptions options) {
    options
        .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
        .setMaxLogFileSize(MIB)
        .setLogFileTimeToRoll(0)
        .setKeepLogFileNum(4)
        .setStatsDumpPeriodSec(3600)
        .setStatsPersistPeriodSec(0);
  }

  private BlockBasedTableConfig tableConfig(BloomFilter filter) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        // Without it, a read from the cache only could still read an index from disk.
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setFilterPolicy(filter)
        .setWholeKeyFiltering(true)
        .setOptimizeFiltersForMemory(true)
        .setBlockSize(4 * KIB)
        // Point reads are the rule; the hash in a block costs 5 % of space and avoids the search.
        .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
        .setDataBlockHashTableUtilRatio(0.75)
        .setChecksumType(ChecksumType.kXXH3)
        .setFormatVersion(6);
  }

  /**
   * Merges a table at once if half of a run of its entries are deletions. Otherwise every scan, and
   * every page of hints, would skip the deletions of hints delivered long ago.
   */
  private Options mergingDeletions() {
    Options options = new Options();
    // The families' own options have no setter for it.
    options.setTablePropertiesCollectorFactory(
        List.of(
            own(
                TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
                    DELETION_WINDOW, DELETION_WINDOW / 2, 0))));
    return options;
  }

  private static ColumnFamilyOptions familyOptions(
      Options base, BlockBasedTableConfig table, long bufferBytes) {
    return new ColumnFamilyOptions(base)
        .setTableFormatConfig(table)
        .setWriteBufferSize(bufferBytes)
        // Two full buffers may wait for their flush before writes stall.
        .setMaxWriteBufferNumber(3)
        .setMinWriteBufferNumberToMerge(1)
        // Version checks of new keys then skip the search in the write buffer.
        .setMemtablePrefixBloomSizeRatio(0.02)
        .setMemtableWholeKeyFiltering(true)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setBottommostCompressionType(CompressionType.LZ4_COMPRESSION)
        .setCompactionStyle(CompactionStyle.LEVEL)
        .setCompactionPriority(CompactionPriority.MinOverlappingRatio)
        .setLevelCompactionDynamicLevelBytes(true)
        .setLevel0FileNumCompactionTrigger(4)
        .setLevel0SlowdownWritesTrigger(20)
        .setLevel0StopWritesTrigger(36)
        // Small tables keep a compaction's working set and its burst of reads small.
        .setTargetFileSizeBase(16 * MIB)
        .setTargetFileSizeMultiplier(1)
        .setMaxBytesForLevelBase(64 * MIB)
        .setMaxBytesForLevelMultiplier(10)
        .setSoftPendingCompactionBytesLimit(8L << 30)
        .setHardPendingCompactionBytesLimit(16L << 30)
        .setForceConsistencyChecks(true)
        .setParanoidFileChecks(false)
        .setOptimizeFiltersForHits(false);
  }

  @Override
  public void close() {
    while (!natives.isEmpty()) {
      natives.pop().close();
    }
  }
}
