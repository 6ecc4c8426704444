package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import java.io.IOException;
import java.util.Optional;

/** A corrupted store that was set aside. Methods block; confined to one thread. */
public interface SetAsideStore extends AutoCloseable {
  /** A step before files are deleted. */
  @FunctionalInterface
  interface BeforeDeletion {
    void run() throws IOException;
  }

  /** What was released of it before; empty if nothing was. */
  Optional<ReleasedPart> released() throws IOException;

  /** Replaces {@link #released}, durably. */
  void keepReleased(ReleasedPart part) throws IOException;

  /**
   * Reads the next page; opens the files if they are closed.
   *
   * @param behind key behind which to begin if the files are closed; ignored by a store whose
   *     records are not returned in order
   */
  Salvaged.Page next(ScanLimits limits, Optional<Key> behind) throws IOException;

  /** Returns whether its files are open and its records are returned in the order of their keys. */
  boolean isInOrder();

  /** Returns whether all synced writes of its log are known to be readable. */
  boolean isLogComplete();

  /**
   * Deletes files and parts of files without records behind a key.
   *
   * @param before run first if there is anything to delete
   */
  void deleteUpTo(Key key, BeforeDeletion before) throws IOException;

  /** Closes and deletes all files except for what {@link #keepReleased} has recorded. */
  void deleteAll() throws IOException;

  @Override
  void close();
}
