package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.files.Directories;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.CorruptRecordException;
import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.LogFragments;
import dev.kvorum.storage.rocks.RocksDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records in the logs, tables and blob files of a store whose catalogue (CURRENT,
 * MANIFEST) is unreadable. Of a blob file, those to which tables refer. It is unknown which of
 * several versions is the newest, and what was removed: the receiver keeps the newest version that
 * it receives. Confined to one thread.
 */
final class CorruptedFiles implements SalvageSource {
  private static final Logger log = LoggerFactory.getLogger(CorruptedFiles.class);
  private static final String LOG_STORE = "log-only";

  private final Deque<Path> tables = new ArrayDeque<>();
  private final SalvageSource logs;
  private final BlobFiles blobs;
  private final List<KeyRange> gaps = new ArrayList<>();
  private byte @Nullable [] from;
  private boolean areLogsRead;
  private boolean isReported;

  private CorruptedFiles(List<Path> tables, BlobFiles blobs, SalvageSource logs) {
    this.tables.addAll(tables);
    this.blobs = blobs;
    this.logs = logs;
  }

  /** Opens the files in a store's directory. Blocks. */
  static CorruptedFiles open(StoreSettings settings) throws IOException, RocksDBException {
    List<Path> tables = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(settings.directory(), "*.sst")) {
      all.forEach(tables::add);
    }
    tables.removeIf(table -> !SalvageTable.mayHoldRecords(table));
    BlobFiles blobs = BlobFiles.open(settings.directory());
    try {
      return new CorruptedFiles(tables, blobs, logStore(settings));
    } catch (IOException | RocksDBException | RuntimeException e) {
      blobs.close();
      throw e;
    }
  }

  /** Opens a store with the logs only, from which RocksDB reads their records. */
  private static SalvageSource logStore(StoreSettings settings)
      throws IOException, RocksDBException {
    Path directory = settings.directory().resolve(LOG_STORE);
    if (Files.exists(directory)) {
      Directories.delete(directory);
    }
    RocksDatabase.open(settings.in(directory)).close();
    for (Path file : LogFragments.logs(settings.directory())) {
      Files.copy(file, directory.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    try {
      return CorruptedStore.open(settings.in(directory));
    } catch (RocksDBException e) {
      // RocksDB skips a corrupted record, but can count it into the checksum of the next one that
      // has several fragments, and then rejects all logs.
      log.warn("The logs are read up to their first corruption only: {}", e.getMessage());
      for (Path copy : LogFragments.logs(directory)) {
        LogFragments.cutAtCorruption(copy);
      }
      return CorruptedStore.open(settings.in(directory));
    }
  }

  @Override
  public Salvaged.Page next(ScanLimits limits) throws IOException {
    List<Salvageable> page = new ArrayList<>();
    if (!areLogsRead) {
      Salvaged.Page read = logs.next(limits);
      areLogsRead = read.isLast();
      read.records().forEach(record -> page.add(new Salvageable(record.mutation(), false)));
    } else if (!tables.isEmpty()) {
      fromTable(limits, page);
    } else if (!gaps.isEmpty()) {
      fromBlobs(limits, page);
    }
    List<KeyRange> unreadable = isReported ? List.of() : List.of(KeyRange.ALL);
    isReported = true;
    return new Salvaged.Page(page, unreadable, areLogsRead && tables.isEmpty() && gaps.isEmpty());
  }

  private void fromTable(ScanLimits limits, List<Salvageable> page) {
    NavigableMap<byte[], byte[]> held = new TreeMap<>(SalvageTable::compare);
    SalvageTable.Part part =
        SalvageTable.read(tables.getFirst(), from, null, limits.bytesMax(), blobs, held);
    add(held, page);
    Salvaged.addUnreadable(gaps, part.gaps());
    from = part.last() == null ? null : SalvageTable.next(part.last());
    if (from == null) {
      tables.removeFirst();
    }
  }

  /** Tables may have referred to blobs in their unreadable parts. */
  private void fromBlobs(ScanLimits limits, List<Salvageable> page) {
    BlobFiles.Page large = blobs.page(from, null, limits.bytesMax());
    NavigableMap<byte[], byte[]> held = large.newest();
    held.keySet().removeIf(key -> gaps.stream().noneMatch(gap -> gap.contains(Key.ofBytes(key))));
    add(held, page);
    from = large.end();
    if (from == null) {
      gaps.clear();
    }
  }

  private static void add(NavigableMap<byte[], byte[]> held, List<Salvageable> page) {
    held.forEach((key, stored) -> {
      try {
        Key named = Key.ofBytes(key);
        Mutation found = new Mutation(named, RecordCodec.decode(named, ByteBuffer.wrap(stored)));
        page.add(new Salvageable(found, false));
      } catch (CorruptRecordException | IllegalArgumentException e) {
        log.warn("A record of {} bytes cannot be read: {}", stored.length, e.getMessage());
      }
    });
  }

  @Override
  public void close() {
    blobs.close();
    logs.close();
  }
}
