package dev.kvorum.storage.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open key-value database beneath a store's record logic: RocksDB in a node, a model in
 * simulations. Methods block as long as the disk does, unless stated otherwise.
 *
 * <p>Use after {@link #close} may crash the process in native code; the owner prevents that with a
 * {@link Gate}.
 */
public interface Engine extends AutoCloseable {
  /** There is no value under the key. */
  int NOT_FOUND = -1;

  /** The value is not in memory; it may be on disk. */
  int NOT_IN_MEMORY = -2;

  /** A separate key space, sorted by unsigned bytes. */
  enum Family {
    /** Records under the users' keys. */
    RECORDS,
    HINTS,
    /** The store's metadata. */
    META
  }

  /** The value under a key, or null. */
  byte @Nullable [] get(Family family, byte[] key) throws EngineException;

  /**
   * Reads the first bytes of the value under a key, up to the length of the array.
   *
   * @return length of the complete value, or {@link #NOT_FOUND}
   */
  int get(Family family, byte[] key, byte[] into) throws EngineException;

  /**
   * Reads the first bytes of a record into the buffer, from index 0 up to its limit, if the record
   * is in memory. Never waits for I/O.
   *
   * @param into a direct buffer
   * @return length of the complete record, {@link #NOT_FOUND} or {@link #NOT_IN_MEMORY}
   */
  int getInMemory(byte[] key, ByteBuffer into) throws EngineException;

  /** A record, if all of it is in memory; null if it may not exist. Never waits. */
  byte @Nullable [] getInMemory(byte[] key) throws EngineException;

  /**
   * A snapshot of a family, in key order.
   *
   * @param start the first key that is not left out, or null
   * @param end the first key behind it that is left out, or null
   */
  Cursor cursor(Family family, byte @Nullable [] start, byte @Nullable [] end);

  /** Creates an empty batch. */
  EngineBatch batch() throws EngineException;

  /** Syncs the log with all writes before this call. */
  void syncLog() throws EngineException;

  /** Sequence number of the last write. */
  long sequence();

  /** Records that the log has been synced up to a write. Survives the process, not the machine. */
  void recordSynced(long sequence) throws IOException;

  /** Makes the last such record survive the machine too. */
  void persistSynced() throws IOException;

  /** Writes all records that are only in the log to tables. */
  void flush() throws EngineException;

  /** Estimated number of records. */
  long recordsEstimated() throws EngineException;

  /**
   * Merges records with those that they hide, which frees their space.
   *
   * @param all whether also to rewrite tables of the last level with which nothing is merged
   */
  void compactRecords(boolean all) throws EngineException;

  /**
   * Deletes files that {@link #compactRecords} has replaced while reads used them. Without it they
   * stay until the next flush or compaction, which an idle database does not have.
   */
  void deleteReplacedFiles() throws EngineException;

  /**
   * Sets out of which blob files the next compactions move the records that they meet. RocksDB
   * deletes a file that holds none any more.
   *
   * @param oldest share of the files, oldest first, from 0 to 1
   * @param isForced whether to compact tables only to that end
   */
  void collectBlobs(double oldest, boolean isForced) throws EngineException;

  /** Aborts {@link #compactRecords} with an exception, now and in the future. Does not block. */
  void cancelCompaction();

  /**
   * Writes a copy of the database to a new directory, with each write that had returned before the
   * call. Unchanged files are hard links: they cost no space until the database deletes its own.
   */
  void checkpoint(Path directory) throws EngineException;

  /** Number of failed flushes and compactions since the database was opened. */
  long backgroundErrors() throws EngineException;

  /** Current statistics. */
  EngineStats stats() throws EngineException, IOException;

  @Override
  void close();

  /** A position in a family; confined to one thread. */
  interface Cursor extends AutoCloseable {
    void seekToFirst();

    void seekToLast();

    void next();

    void previous();

    /** Returns whether it is at an entry: neither outside the bounds nor at an unreadable one. */
    boolean isValid();

    byte[] key();

    byte[] value();

    /**
     * Reads the first bytes of the value, up to the length of the array; returns the complete
     * value's length.
     */
    int value(byte[] into);

    /** Throws if an unreadable entry ended the iteration. */
    void check() throws EngineException;

    @Override
    void close();
  }
}
