package dev.kvorum.storage;

import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * How new the records were that have been removed: a write that old, to a key that is not there,
 * may be one of those that a removed tombstone deleted. Goes to disk with the removals themselves.
 */
final class Removals {
  static final byte[] KEY = "removed-up-to".getBytes(StandardCharsets.UTF_8);

  private final RocksDatabase database;
  private volatile long newestStamp;
  private volatile long retired;
  private long nextStamp;
  private long nextRetired;

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

  /** Records entombed or removed since the store was opened. Safe for any thread. */
  long retired() {
    return retired;
  }

  /** Whether a write of this stamp may have been deleted by what was removed since. */
  boolean mayHide(long stamp) {
    return nextStamp > 0 && stamp <= nextStamp;
  }

  /** Notes the stamp of what a batch is about to remove. */
  void add(long stamp, WriteBatch batch) throws RocksDBException {
    if (stamp > nextStamp) {
      batch.put(database.meta(), KEY, MetaNumber.encode(stamp));
      nextStamp = stamp;
    }
  }

  /** Counts a record that a batch is about to entomb or remove. */
  void count() {
    nextRetired++;
  }

  /** Says whether the batch was stored. */
  void settle(boolean stored) {
    if (stored) {
      newestStamp = nextStamp;
      retired = nextRetired;
    } else {
      nextStamp = newestStamp;
      nextRetired = retired;
    }
  }
}
