package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Store.Detail;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    try {
      return read(range, detail, limits);
    } catch (RocksDBException | CorruptRecordException e) {
      failures.note("cannot scan records", e);
      return new Scanned.Unknown(Refusal.STORAGE_FAILED);
    } finally {
      gate.leave(ticket);
    }
  }

  private Scanned read(KeyRange range, Detail detail, ScanLimits limits)
      throws RocksDBException, CorruptRecordException {
    byte[] end = range.end().map(Key::bytes).orElse(null);
    // Blocks that only a scan wants would push out those that reads come back to.
    try (Slice bound = end == null ? new Slice(new byte[0]) : new Slice(end);
        ReadOptions options = new ReadOptions().setVerifyChecksums(true).setFillCache(false)) {
      if (end != null) {
        options.setIterateUpperBound(bound);
      }
      try (RocksIterator at = db.newIterator(records, options)) {
        return collect(at, range, detail, limits);
      }
    }
  }

  private static Scanned collect(RocksIterator at, KeyRange range, Detail detail, ScanLimits limits)
      throws RocksDBException, CorruptRecordException {
    if (range.start().isPresent()) {
      at.seek(range.start().get().bytes());
    } else {
      at.seekToFirst();
    }
    List<Mutation> found = new ArrayList<>();
    long bytes = 0;
    Optional<Key> next = Optional.empty();
    for (; at.isValid(); at.next()) {
      Key key = Key.ofBytes(at.key());
      if (!range.contains(key)) {
        continue;
      }
      byte[] stored = at.value();
      if (!found.isEmpty()
          && (found.size() >= limits.recordsMax() || bytes + stored.length > limits.bytesMax())) {
        next = Optional.of(found.getLast().key());
        break;
      }
      ByteBuffer whole = ByteBuffer.wrap(stored);
      found.add(
          new Mutation(
              key,
              detail == Detail.RECORD
                  ? RecordCodec.decode(whole)
                  : RecordCodec.decodeWithoutValue(whole)));
      bytes += key.bytes().length + (long) stored.length;
    }
    // An iterator that met damage is not valid either: that is no end.
    at.status();
    return new Scanned.Page(found, next);
  }
}
