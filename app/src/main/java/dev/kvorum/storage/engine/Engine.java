package dev.kvorum.storage.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An open key-value database, beneath a store's record logic: RocksDB in a node, a model in
 * simulations. Methods block as long as the disk does, if not stated otherwise.
 *
 * <p>Using it after {@link #close} may end the process in native code; its owner prevents that with
 * a {@link Gate}.
 */
public interface Engine extends AutoCloseable {
  /** There is nothing under a key. */
  int NOT_FOUND = -1;

  /** Memory does not have what was asked for; the disk may. */
  int NOT_IN_MEMORY = -2;

  /** A key space of its own, sorted by the keys' unsigned bytes. */
  enum Family {
    /** Records under the users' keys. */
    RECORDS,
    HINTS,
    /** The store's metadata. */
    META
  }

  /** The value under a key; null when there is none. */
  byte @Nullable [] get(Family family, byte[] key) throws EngineException;

  /**
   * The first bytes of the value under a key, as many as there is room for.
   *
   * @return length of the complete value, or {@link #NOT_FOUND}
   */
  int get(Family family, byte[] key, byte[] into) throws EngineException;

  /**
   * The first bytes of a record, from index 0 up to the limit, if memory has it. Never waits for
   * I/O.
   *
   * @param into a direct buffer
   * @return length of the complete record, {@link #NOT_FOUND} or {@link #NOT_IN_MEMORY}
   */
  int getInMemory(byte[] key, ByteBuffer into) throws EngineException;

  /** A record, if memory has all of it; null when it is not certain to be there. Never waits. */
  byte @Nullable [] getInMemory(byte[] key) throws EngineException;

  /**
   * What a family holds at this moment, in the order of keys.
   *
   * @param end the first key that is left out, or null
   */
  Cursor cursor(Family family, byte @Nullable [] end);

  /** A new, empty batch. */
  EngineBatch batch() throws EngineException;

  /** Syncs the log, and with it all that was written before this call. */
  void syncLog() throws EngineException;

  /** The number of the last write. */
  long sequence();

  /** Notes that the log has been synced up to a write; survives the process, not the machine. */
  void recordSynced(long sequence) throws IOException;

  /** Makes what was noted survive the machine too. */
  void persistSynced() throws IOException;

  /** Puts all that is in the log alone into tables. */
  void flush() throws EngineException;

  /** How many records there are, roughly. */
  long recordsEstimated() throws EngineException;

  /** Merges records with what they hide, which gives its space back. */
  void compactRecords() throws EngineException;

  /** Has {@link #compactRecords} end, now and from now on, with an exception. Does not block. */
  void cancelCompaction();

  /** How often a flush or compaction has failed since the database was opened. */
  long backgroundErrors() throws EngineException;

  /** Its figures at this moment. */
  EngineStats stats() throws EngineException, IOException;

  @Override
  void close();

  /** A position in a family; for one thread. */
  interface Cursor extends AutoCloseable {
    void seekToFirst();

    /** Goes to the first key that is not before this one. */
    void seek(byte[] key);

    void next();

    /** Whether it is at an entry: not behind the last one, nor where one cannot be read. */
    boolean isValid();

    byte[] key();

    byte[] value();

    /**
     * The first bytes of the value, as many as there is room for; returns the complete value's
     * length.
     */
    int value(byte[] into);

    /** Throws if the entry at which it ended could not be read. */
    void check() throws EngineException;

    @Override
    void close();
  }
}
