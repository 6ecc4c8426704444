package dev.kvorum.backup;

import dev.kvorum.storage.engine.EngineException;
import java.nio.file.Path;
import java.time.Instant;

/** What a backup takes from its member. Methods may be called on any thread. */
public interface BackupSource {
  /** The member's state at a moment. */
  State state();

  /**
   * Writes a copy of the store to a new directory, with each write that was acknowledged before the
   * call. Blocks.
   */
  void checkpoint(Path directory) throws EngineException;

  /** Upper bound of the stamps of all stored records. */
  long newestStamp();

  /** The newest stamp of all removed tombstones. */
  long purgedUpTo();

  Instant now();

  /**
   * A member's state.
   *
   * @param epoch of its topology
   * @param isStable whether no change of the members is under way
   * @param votes whether it has all its records, and is the only process of its member
   */
  record State(long epoch, boolean isStable, boolean votes) {}
}
