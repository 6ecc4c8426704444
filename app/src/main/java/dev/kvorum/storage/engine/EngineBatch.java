package dev.kvorum.storage.engine;

import dev.kvorum.storage.engine.Engine.Family;

/** Changes that are written together or not at all; for one thread, and used again and again. */
public interface EngineBatch extends AutoCloseable {
  void put(Family family, byte[] key, byte[] value) throws EngineException;

  void delete(Family family, byte[] key) throws EngineException;

  /** How many changes it holds. */
  int count();

  /**
   * Writes all changes, which stay in the batch. One that fails may be there after a restart.
   *
   * @param sync whether they and all before them are on disk when this returns
   */
  void write(boolean sync) throws EngineException;

  /** Empties it. */
  void clear() throws EngineException;

  @Override
  void close();
}
