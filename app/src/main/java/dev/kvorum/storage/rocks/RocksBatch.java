package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.Engine.Family;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A RocksDB write batch that starts with the number up to which the log before it is synced. */
final class RocksBatch implements EngineBatch {
  private static final int BUFFER_BYTES_MIN = 1 << 13;

  /** With a longer key and value, the heap has to do. */
  private static final int BUFFER_BYTES_MAX = 1 << 21;

  private final RocksEngine engine;
  private final WriteBatch batch = new WriteBatch();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions().setSync(false);
  private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES_MIN);

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

  /** Without a copy on the heap, where a large value costs a collection soon. */
  @Override
  public void put(Family family, byte[] key, byte[] front, byte[] rest) throws EngineException {
    int bytes = key.length + front.length + rest.length;
    if (bytes > BUFFER_BYTES_MAX) {
      EngineBatch.super.put(family, key, front, rest);
      return;
    }
    ByteBuffer pair = buffer(bytes).put(key).put(front).put(rest).flip();
    try {
      batch.put(
          engine.handle(family), pair.duplicate().limit(key.length), pair.position(key.length));
    } catch (RocksDBException e) {
      throw RocksErrors.of(e);
    }
  }

  private ByteBuffer buffer(int bytes) {
    if (bytes > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect(Math.min(BUFFER_BYTES_MAX, bytes * 2));
    }
    return buffer.clear();
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
  public void writeSynced() throws EngineException {
    write(synced);
  }

  @Override
  public void writeUnsynced() throws EngineException {
    write(unsynced);
  }

  private void write(WriteOptions options) throws EngineException {
    try {
      engine.database().db().write(options, batch);
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
