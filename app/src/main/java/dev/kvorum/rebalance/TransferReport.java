package dev.kvorum.rebalance;

/**
 * How far this member has come with what it gains in an epoch.
 *
 * @param state {@code NONE} where there is no change
 * @param sourcesDone members from which all is copied
 * @param sources members to copy from
 * @param records that have come so far
 * @param bytes of them, in memory
 */
public record TransferReport(
    long epoch, State state, int sourcesDone, int sources, long records, long bytes) {
  /** Where it stands. */
  public enum State {
    /** No change is under way. */
    NONE,
    /** Something is missing. */
    RUNNING,
    /** All that it gains is there. */
    DONE
  }
}
