package dev.kvorum.rebalance;

/**
 * Progress of this member in copying the records that it gains in an epoch.
 *
 * @param state {@code NONE} without a membership change
 * @param sourcesDone number of members whose records are copied
 * @param sources number of members to copy from
 * @param records number of records received so far
 * @param bytes their size in memory, in bytes
 */
public record TransferReport(
    long epoch, State state, int sourcesDone, int sources, long records, long bytes) {
  /** State of the copying. */
  public enum State {
    /** No membership change. */
    NONE,
    /** Records are missing. */
    RUNNING,
    /** All gained records are present. */
    DONE
  }
}
