package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A RocksDB iterator and its native objects. */
final class RocksCursor implements Engine.Cursor {
  private final @Nullable Slice start;
  private final @Nullable Slice end;

  // Blocks that only a scan needs would evict blocks that reads use again.
  private final ReadOptions options =
      new ReadOptions().setVerifyChecksums(true).setFillCache(false);
  private final RocksIterator at;

  RocksCursor(
      RocksDB db, ColumnFamilyHandle family, byte @Nullable [] start, byte @Nullable [] end) {
    this.start = start == null ? null : new Slice(start);
    this.end = end == null ? null : new Slice(end);
    if (this.start != null) {
      options.setIterateLowerBound(this.start);
    }
    if (this.end != null) {
      options.setIterateUpperBound(this.end);
    }
    this.at = db.newIterator(family, options);
  }

  @Override
  public void seekToFirst() {
    at.seekToFirst();
  }

  @Override
  public void seekToLast() {
    at.seekToLast();
  }

  @Override
  public void next() {
    at.next();
  }

  @Override
  public void previous() {
    at.prev();
  }

  @Override
  public boolean isValid() {
    return at.isValid();
  }

  @Override
  public byte[] key() {
    return at.key();
  }

  @Override
  public byte[] value() {
    return at.value();
  }

  @Override
  public int value(byte[] into) {
    return at.value(into);
  }

  @Override
  public void check() throws EngineException {
    try {
      at.status();
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  @Override
  public void close() {
    at.close();
    options.close();
    if (start != null) {
      start.close();
    }
    if (end != null) {
      end.close();
    }
  }
}
