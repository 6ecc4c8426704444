package dev.kvorum.storage.replace;

import dev.kvorum.storage.Durability;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.salvage.PreservedState;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a store on disk with an empty one, which is never treated as complete, even if the
 * process ends during the replacement. For one thread at a time.
 */
final class StoreReplacement {
  private static final Logger log = LoggerFactory.getLogger(StoreReplacement.class);

  /**
   * Longest wait for the reads in a store that is to be replaced or opened again. Linux ends a
   * command of a disk that hangs after 30 s (SCSI and NVMe), and may try it once more. A read that
   * takes longer is not expected to return.
   */
  private static final Duration READS_END_MAX = Duration.ofSeconds(60);

  private final StoreDisk disk;

  StoreReplacement(StoreDisk disk) {
    this.disk = disk;
  }

  /** Opens the store, or an empty one that replaces it if it is corrupted. */
  RecordStore begin(Supplier<OnCorruption> onCorruption, Consumer<String> listener) {
    try {
      disk.finishInterrupted();
      return disk.open(listener);
    } catch (StoreOpenException e) {
      if (!e.isCorruption() || onCorruption.get() == OnCorruption.FAIL) {
        throw e;
      }
      succeedUnreadable(e);
      return disk.open(listener);
    } catch (IOException e) {
      throw StoreOpenException.of(disk.settings().directory(), e);
    }
  }

  private void succeedUnreadable(StoreOpenException damage) {
    log.error("{}", damage.getMessage());
    try {
      putAside(disk.salvageState(), true, "it could not be opened");
    } catch (IOException | EngineException e) {
      damage.addSuppressed(e);
      throw damage;
    }
  }

  /** Closes a store that is to be replaced, or throws if it stays in use. Blocks. */
  void close(RecordStore unwanted) {
    if (!unwanted.closeIfUnused(READS_END_MAX)) {
      throw new IllegalStateException("a read or write in the store does not end");
    }
  }

  /**
   * Closes a store that is to be opened again, or throws if it stays in use or must not be opened
   * again in this process: with {@code async}, acknowledged writes may be missing after an I/O
   * error. Only a start forgets what repairs and transfers have derived from them. Blocks.
   */
  void closeToReopen(RecordStore stopped) {
    if (disk.settings().durability() == Durability.ASYNC) {
      throw new IllegalStateException("acknowledged writes may be missing (durability=async)");
    }
    close(stopped);
  }

  /**
   * Sets the store aside, which must be closed, and moves an empty one into its place.
   *
   * @param isCorrupted whether its records are to be salvaged; otherwise they must not be restored
   */
  void putAside(PreservedState preserved, boolean isCorrupted, String reason)
      throws IOException, EngineException {
    // With its mark before the move: an empty store without it would be treated as a complete one.
    disk.prepareFresh(isCorrupted ? preserved : preserved.ofReset());
    log.warn(
        "Set the store in {} aside as {} ({}). This node starts with an empty store and is"
            + " rebuilt from its peers{}",
        disk.settings().directory(),
        disk.swap(isCorrupted),
        reason,
        isCorrupted ? " and from the readable records of the corrupted store" : "");
  }
}
