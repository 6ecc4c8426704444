package dev.kvorum.storage;

import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * How new the tombstones were that have been removed: a write that old, to a key that is not there,
 * may be one of those that they deleted. Goes to disk with the removals themselves.
 */
final class Removals {
  private static final byte[] KEY = "removed-up-to".getBytes(StandardCharsets.UTF_8);

  private final RocksDatabase database;
  private volatile long newestStamp;
  private long nextStamp;

  /** Begins from what is on disk. */
  Removals(RocksDatabase database) throws RocksDBException, CorruptRecordException {
    this.database = database;
    this.newestStamp = MetaNumber.read(database, KEY, "the newest removed stamp");
    this.nextStamp = newestStamp;
  }

  /** The newest stamp of all that was removed. Safe for any thread. */
  long newestStamp() {
    return newestStamp;
  }

  /** Whether a write of this stamp may have been deleted by what was removed since. */
  boolean mayHide(long stamp) {
    return nextStamp > 0 && stamp <= nextStamp;
  }

  /** Counts the stamp of what a batch is about to remove. */
  void add(long stamp, WriteBatch batch) throws RocksDBException {
    if (stamp > nextStamp) {
      batch.put(database.meta(), KEY, MetaNumber.encode(stamp));
      nextStamp = stamp;
    }
  }

  /** Says whether the batch was stored. */
  void settle(boolean stored) {
    if (stored) {
      newestStamp = nextStamp;
    } else {
      nextStamp = newestStamp;
    }
  }
}
