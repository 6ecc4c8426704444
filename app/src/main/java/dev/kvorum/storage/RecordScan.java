package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Store.Detail;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** Pages of records in the order of their keys. */
final class RecordScan {
  private final RocksDB db;
  private final ColumnFamilyHandle records;
  private final Gate gate;
  private final FailureLog failures;

  RecordScan(RocksDatabase database, Gate gate, FailureLog failures) {
    this.db = database.db();
    this.records = database.records();
    this.gate = gate;
    this.failures = failures;
  }

  /** Reads a page. Blocks as long as the disk does. */
  Scanned page(KeyRange range, Detail detail, ScanLimits limits) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return new Scanned.Unknown(Refusal.STORAGE_FAILED);
    }
    try (Slice end = range.end().isPresent() ? new Slice(range.end().get().bytes()) : null;
        ReadOptions options = optionsUpTo(end);
        RocksIterator at = db.newIterator(records, options)) {
      seek(at, range);
      return collect(at, detail, limits);
    } catch (RocksDBException | CorruptRecordException e) {
      failures.note("cannot scan records", e);
      return new Scanned.Unknown(Refusal.STORAGE_FAILED);
    } finally {
      gate.leave(ticket);
    }
  }

  private static ReadOptions optionsUpTo(@Nullable Slice end) {
    // Blocks that only a scan wants would push out those that reads come back to.
    ReadOptions options = new ReadOptions().setVerifyChecksums(true).setFillCache(false);
    return end == null ? options : options.setIterateUpperBound(end);
  }

  private static void seek(RocksIterator at, KeyRange range) {
    if (range.start().isEmpty()) {
      at.seekToFirst();
      return;
    }
    byte[] start = range.start().get().bytes();
    at.seek(start);
    if (!range.startIncluded() && at.isValid() && Arrays.equals(at.key(), start)) {
      at.next();
    }
  }

  private static Scanned collect(RocksIterator at, Detail detail, ScanLimits limits)
      throws RocksDBException, CorruptRecordException {
    byte[] header = new byte[RecordCodec.HEADER_BYTES];
    List<Mutation> found = new ArrayList<>();
    long bytes = 0;
    for (; at.isValid(); at.next()) {
      byte[] key = at.key();
      int length = at.value(header);
      bytes += key.length + (long) length;
      if (!found.isEmpty() && (found.size() >= limits.recordsMax() || bytes > limits.bytesMax())) {
        return new Scanned.Page(found, Optional.of(found.getLast().key()));
      }
      Versioned record =
          switch (detail) {
            case VERSION -> RecordCodec.decodeWithoutValue(ByteBuffer.wrap(header), length);
            case RECORD -> whole(at, length);
          };
      found.add(new Mutation(keyOf(key), record));
    }
    // An iterator that met damage is not valid either: that is no end.
    at.status();
    return new Scanned.Page(found, Optional.empty());
  }

  private static Versioned whole(RocksIterator at, int length) throws CorruptRecordException {
    byte[] stored = new byte[length];
    at.value(stored);
    return RecordCodec.decode(ByteBuffer.wrap(stored));
  }

  private static Key keyOf(byte[] stored) throws CorruptRecordException {
    try {
      return Key.ofBytes(stored);
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(String.valueOf(e.getMessage()));
    }
  }
}
