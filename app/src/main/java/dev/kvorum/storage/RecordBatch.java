package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The records in a batch: versions are checked against the database and the batch itself. */
final class RecordBatch implements AutoCloseable {
  private final RocksDB db;
  private final ColumnFamilyHandle records;
  private final WriteBatch batch;
  private final NewestStamps stamps;
  private final Removals removals;
  private final ReadOptions readOptions = new ReadOptions().setVerifyChecksums(true);
  private final byte[] header = new byte[RecordCodec.HEADER_BYTES];

  /** What is under each key that was looked at once the batch is written. */
  private final Map<Key, RecordHead> staged = new HashMap<>();

  RecordBatch(RocksDatabase database, WriteBatch batch, Removals removals)
      throws RocksDBException, CorruptRecordException {
    this.db = database.db();
    this.records = database.records();
    this.batch = batch;
    this.stamps = new NewestStamps(database);
    this.removals = removals;
  }

  /**
   * Keeps a record unless a newer one is there.
   *
   * @param trusted whether it is kept though it may have been deleted and forgotten since
   * @throws RocksDBException when what is there cannot be read: it may be newer
   */
  Applied apply(Mutation mutation, boolean trusted)
      throws RocksDBException, CorruptRecordException {
    Key key = mutation.key();
    Version mine = mutation.record().version();
    // Where nothing as new was ever stored, nothing as new was removed either.
    if (!stamps.isPassedBy(mine.stamp(), key)) {
      RecordHead there = under(key);
      if (there.isThere() && there.version().isNewerThan(mine)) {
        return new Applied.Superseded(there.version());
      }
      if (there.isThere() && mine.equals(there.version()) && !outweighsStored(mutation)) {
        return Applied.Stored.STORED;
      }
      if (!there.isThere() && !trusted && removals.mayHide(mine.stamp())) {
        return new Applied.Refused(Refusal.TOO_OLD);
      }
    }
    stamps.add(mine.stamp(), key, batch);
    batch.put(records, key.bytes(), RecordCodec.encode(mutation.record()));
    staged.put(key, RecordHead.of(mutation.record()));
    return Applied.Stored.STORED;
  }

  /**
   * Whether a record takes the place of the stored one of its version: where that does not match
   * its checksum, and of two values, one of which was stored before there were checksums, the one
   * that all replicas choose.
   */
  private boolean outweighsStored(Mutation mutation)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = db.get(records, readOptions, mutation.key().bytes());
    if (stored == null) {
      return false;
    }
    try {
      Versioned there = RecordCodec.decode(mutation.key(), ByteBuffer.wrap(stored));
      return mutation.record().outweighs(there);
    } catch (ChecksumMismatchException e) {
      return true;
    }
  }

  /** Throws when a record is not what was stored: nothing may be concluded from what it says. */
  private void checkIntact(Key key) throws RocksDBException, CorruptRecordException {
    byte[] stored = db.get(records, readOptions, key.bytes());
    if (stored != null) {
      RecordCodec.decode(key, ByteBuffer.wrap(stored));
    }
  }

  /** Turns a record of this very version into a tombstone; nothing otherwise. */
  void entomb(Key key, Version version) throws RocksDBException, CorruptRecordException {
    RecordHead there = under(key);
    if (!there.isThere() || there.tombstone() || !there.version().equals(version)) {
      return;
    }
    checkIntact(key);
    Versioned tombstone = Versioned.tombstone(version, there.from()).sealed(key);
    batch.put(records, key.bytes(), RecordCodec.encode(tombstone));
    staged.put(key, RecordHead.of(tombstone));
    removals.count();
  }

  /** Puts a record where there is a tombstone of its version; false, and nothing, otherwise. */
  boolean restore(Mutation mutation) throws RocksDBException, CorruptRecordException {
    RecordHead there = under(mutation.key());
    Versioned record = mutation.record();
    if (!there.isThere() || !there.tombstone() || !there.version().equals(record.version())) {
      return false;
    }
    batch.put(records, mutation.key().bytes(), RecordCodec.encode(record));
    staged.put(mutation.key(), RecordHead.of(record));
    return true;
  }

  /**
   * Removes a record of this very version; nothing otherwise.
   *
   * @param noted whether it is remembered that a tombstone this old is gone
   */
  void remove(Key key, Version version, boolean noted)
      throws RocksDBException, CorruptRecordException {
    RecordHead there = under(key);
    if (!there.isThere() || !there.version().equals(version)) {
      return;
    }
    // A live copy that goes because others have a newer one deletes nothing.
    if (noted && there.tombstone()) {
      checkIntact(key);
      removals.add(version.stamp(), batch);
    }
    batch.delete(records, key.bytes());
    staged.put(key, RecordHead.NONE);
    removals.count();
  }

  private RecordHead under(Key key) throws RocksDBException, CorruptRecordException {
    RecordHead known = staged.get(key);
    if (known == null) {
      known = stored(key);
      staged.put(key, known);
    }
    return known;
  }

  private RecordHead stored(Key key) throws RocksDBException, CorruptRecordException {
    byte[] bytes = key.bytes();
    int length = db.get(records, readOptions, bytes, 0, bytes.length, header, 0, header.length);
    return length == RocksDB.NOT_FOUND
        ? RecordHead.NONE
        : RecordCodec.head(ByteBuffer.wrap(header), length);
  }

  /** Says whether the batch was stored. */
  void settle(boolean stored) {
    stamps.settle(stored);
    removals.settle(stored);
    staged.clear();
  }

  @Override
  public void close() {
    readOptions.close();
  }
}
