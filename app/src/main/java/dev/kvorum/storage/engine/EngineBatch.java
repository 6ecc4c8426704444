package dev.kvorum.storage.engine;

import dev.kvorum.storage.engine.Engine.Family;
import java.nio.ByteBuffer;

/** Changes that are written atomically; confined to one thread and reused. */
public interface EngineBatch extends AutoCloseable {
  void put(Family family, byte[] key, byte[] value) throws EngineException;

  /** Stores a value that is given in two parts. */
  default void put(Family family, byte[] key, byte[] front, byte[] rest) throws EngineException {
    put(family, key, ByteBuffer.allocate(front.length + rest.length).put(front).put(rest).array());
  }

  void delete(Family family, byte[] key) throws EngineException;

  /** Number of changes. */
  int count();

  /**
   * Writes all changes, which remain in the batch, and waits for an fsync of the log: they and all
   * writes before them are on disk when the call returns. A failed write may be visible after a
   * restart.
   */
  void writeSynced() throws EngineException;

  /** As {@link #writeSynced}, without the fsync: a crash of the machine may lose the changes. */
  void writeUnsynced() throws EngineException;

  /** Removes all changes. */
  void clear() throws EngineException;

  @Override
  void close();
}
