package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.Engine.Family;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The records in a batch. Versions are checked against the database and the batch itself. */
final class RecordBatch {
  private final Engine engine;
  private final EngineBatch batch;
  private final NewestStamps stamps;
  private final Purges purges;
  private final VersionCache versions;
  private final byte[] header = new byte[RecordCodec.HEADER_BYTES];

  /** By key that was read: the record that will be stored once the batch is written. */
  private final Map<Key, RecordHead> staged = new HashMap<>();

  RecordBatch(Engine engine, EngineBatch batch, StoreMemory memory)
      throws EngineException, CorruptRecordException {
    this.engine = engine;
    this.batch = batch;
    this.stamps = new NewestStamps(engine);
    this.purges = memory.purges();
    this.versions = memory.versions();
  }

  long newestStamp() {
    return stamps.newest();
  }

  /**
   * Stores a record unless there is a newer one.
   *
   * @param trusted whether to store it even if it may have been deleted and its tombstone purged
   *     since
   * @throws EngineException if the stored record cannot be read: it may be newer
   */
  WriteResult apply(Mutation mutation, boolean trusted)
      throws EngineException, CorruptRecordException {
    Key key = mutation.key();
    Version mine = mutation.record().version();
    // If no record as new was ever stored here, no record as new was removed either.
    if (!stamps.isPassedBy(mine.stamp(), key)) {
      RecordHead there = under(key);
      if (there.isThere() && there.version().isNewerThan(mine)) {
        return new WriteResult.Superseded(there.version());
      }
      if (there.isThere() && mine.equals(there.version()) && !outweighsStored(mutation)) {
        return WriteResult.Stored.STORED;
      }
      if (!there.isThere() && !trusted && purges.mayHide(mine.stamp())) {
        return new WriteResult.Rejected(RejectReason.TOO_OLD);
      }
    }
    stamps.add(mine.stamp(), key, batch);
    put(key, mutation.record());
    return WriteResult.Stored.STORED;
  }

  /**
   * Returns whether a record replaces the stored one of the same version. It does if the stored one
   * does not match its checksum. It also does if two values exist, one of them stored without a
   * checksum, and all replicas choose this one.
   */
  private boolean outweighsStored(Mutation mutation)
      throws EngineException, CorruptRecordException {
    byte[] stored = engine.get(Family.RECORDS, mutation.key().bytes());
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

  /** Throws if a stored record does not match its checksum, so that no decision relies on it. */
  private void checkIntact(Key key) throws EngineException, CorruptRecordException {
    byte[] stored = engine.get(Family.RECORDS, key.bytes());
    if (stored != null) {
      RecordCodec.decode(key, ByteBuffer.wrap(stored));
    }
  }

  /** Replaces a record of exactly this version by a tombstone; otherwise does nothing. */
  void expire(Key key, Version version) throws EngineException, CorruptRecordException {
    RecordHead there = under(key);
    if (!there.isThere() || there.tombstone() || !there.version().equals(version)) {
      return;
    }
    checkIntact(key);
    Versioned tombstone = Versioned.tombstone(version, there.from()).sealed(key);
    put(key, tombstone);
    purges.count();
  }

  /** Replaces a tombstone of the record's version; otherwise does nothing and returns false. */
  boolean restore(Mutation mutation) throws EngineException, CorruptRecordException {
    RecordHead there = under(mutation.key());
    Versioned record = mutation.record();
    if (!there.isThere() || !there.tombstone() || !there.version().equals(record.version())) {
      return false;
    }
    put(mutation.key(), record);
    return true;
  }

  /**
   * Removes a record of exactly this version; otherwise does nothing.
   *
   * @param noted whether to record that a tombstone of this age was removed
   */
  void remove(Key key, Version version, boolean noted)
      throws EngineException, CorruptRecordException {
    RecordHead there = under(key);
    if (!there.isThere() || !there.version().equals(version)) {
      return;
    }
    // Removing a live copy, because peers have a newer one, deletes nothing.
    if (noted && there.tombstone()) {
      checkIntact(key);
      purges.add(version.stamp(), batch);
    }
    batch.delete(Family.RECORDS, key.bytes());
    versions.change(key, null);
    staged.put(key, RecordHead.NONE);
    purges.count();
  }

  private void put(Key key, Versioned record) throws EngineException {
    batch.put(Family.RECORDS, key.bytes(), RecordCodec.header(record), record.value());
    versions.change(key, record.version());
    staged.put(key, RecordHead.of(record));
  }

  private RecordHead under(Key key) throws EngineException, CorruptRecordException {
    RecordHead known = staged.get(key);
    if (known == null) {
      known = stored(key);
      staged.put(key, known);
    }
    return known;
  }

  private RecordHead stored(Key key) throws EngineException, CorruptRecordException {
    int length = engine.get(Family.RECORDS, key.bytes(), header);
    return length == Engine.NOT_FOUND
        ? RecordHead.NONE
        : RecordCodec.head(ByteBuffer.wrap(header), length);
  }

  /** Applies whether the batch was stored. */
  void finish(boolean stored) {
    stamps.finish(stored);
    purges.finish(stored);
    versions.release(stored);
    staged.clear();
  }
}
