package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.Engine.Family;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A RocksDB write batch that starts with the number up to which the log before it is synced. */
final class RocksBatch implements EngineBatch {
  private final RocksEngine engine;
  private final WriteBatch batch = new WriteBatch();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions().setSync(false);

  RocksBatch(RocksEngine engine) throws EngineException {
    this.engine = engine;
    claimSynced();
  }

  /** Log data, which uses no sequence number. */
  private void claimSynced() throws EngineException {
    try {
      batch.putLogData(SyncClaims.encode(engine.database().syncedSequence()));
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  @Override
  public void put(Family family, byte[] key, byte[] value) throws EngineException {
    try {
      batch.put(engine.handle(family), key, value);
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  @Override
  public void delete(Family family, byte[] key) throws EngineException {
    try {
      batch.delete(engine.handle(family), key);
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  @Override
  public int count() {
    return batch.count();
  }

  @Override
  public void write(boolean sync) throws EngineException {
    try {
      engine.database().db().write(sync ? synced : unsynced, batch);
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  @Override
  public void clear() throws EngineException {
    batch.clear();
    claimSynced();
  }

  @Override
  public void close() {
    batch.close();
    synced.close();
    unsynced.close();
  }
}
