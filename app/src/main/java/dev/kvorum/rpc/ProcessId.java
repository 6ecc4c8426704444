package dev.kvorum.rpc;

/**
 * Identifies one process of a member by its data directory and the number of its start on it.
 *
 * @param incarnation random number of the data directory, chosen when the directory was created
 * @param generation number of the start, as in Cassandra's gossip. Of two processes on one
 *     directory, or on copies of it, the later one has the larger number
 */
public record ProcessId(long incarnation, long generation) {
  /** Returns whether both have the same data directory and this one was started later. */
  boolean supersedes(ProcessId other) {
    return incarnation == other.incarnation && generation > other.generation;
  }

  @Override
  public String toString() {
    return Long.toHexString(incarnation) + "/" + generation;
  }
}
