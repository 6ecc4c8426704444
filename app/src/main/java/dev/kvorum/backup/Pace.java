package dev.kvorum.backup;

/** Delays the reading of a checkpoint, so that clients come first. */
public interface Pace {
  /**
   * Accounts for bytes that were read; returns once more may be. Blocks.
   *
   * @throws InterruptedException if the backup is cancelled
   */
  void spend(long bytes) throws InterruptedException;
}
