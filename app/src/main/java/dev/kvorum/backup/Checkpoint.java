package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.storage.engine.EngineException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * What is known about a checkpoint.
 *
 * @param votes whether the member had all its records before and after, so that its checkpoint
 *     counts for a majority
 * @param began time before it, by the member's clock
 * @param newestStamp no record in it has a newer stamp
 * @param purgedUpTo newest stamp of the tombstones that the member had removed
 */
public record Checkpoint(
    long epoch, boolean votes, Instant began, Instant ended, long newestStamp, long purgedUpTo) {

  /**
   * Makes a checkpoint. Blocks.
   *
   * @param epoch of the topology under which all members make theirs. Under another one, other
   *     members would make a majority
   */
  public static Checkpoint take(BackupSource source, long epoch, Path directory)
      throws BackupException {
    BackupSource.State before = source.state();
    check(before, epoch);
    Instant began = source.now();
    try {
      source.checkpoint(directory);
    } catch (EngineException e) {
      throw new BackupException(
          Reason.CHECKPOINT, "the store was not copied: " + e.getMessage(), e);
    }
    // After the copy: what was stored or removed meanwhile may be in it.
    Checkpoint made =
        new Checkpoint(
            epoch,
            before.votes() && source.state().votes(),
            began,
            source.now(),
            source.newestStamp(),
            source.purgedUpTo());
    check(source.state(), epoch);
    return made;
  }

  private static void check(BackupSource.State state, long epoch) throws BackupException {
    if (state.epoch() != epoch) {
      throw new BackupException(
          Reason.NOT_READY, "the epoch is " + state.epoch() + ", the backup is of " + epoch);
    }
    if (!state.isStable()) {
      throw new BackupException(Reason.NOT_READY, "a change of the members is under way");
    }
  }
}
