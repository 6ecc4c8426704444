package dev.kvorum.backup;

/** Delays reading for a backup, so that clients come first. */
public interface Pace {
  /**
   * Accounts for bytes that were read; returns once more may be. Blocks.
   *
   * @throws InterruptedException if the work is cancelled
   */
  void spend(long bytes) throws InterruptedException;
}
