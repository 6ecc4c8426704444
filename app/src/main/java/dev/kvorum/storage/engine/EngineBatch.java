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
   * Writes all changes, which remain in the batch. A failed write may be visible after a restart.
   *
   * @param sync whether this batch and all writes before it must be on disk when the call returns
   */
  void write(boolean sync) throws EngineException;

  /** Removes all changes. */
  void clear() throws EngineException;

  @Override
  void close();
}
