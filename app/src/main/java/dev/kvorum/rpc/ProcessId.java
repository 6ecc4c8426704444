package dev.kvorum.rpc;

/**
 * One process of a member: which data directory it has, and the number of its start on it.
 *
 * @param incarnation of the data directory, drawn at random when the directory was made
 * @param generation of the process: of two processes on one directory, or on copies of it, the one
 *     that was started later has the larger number (the word is that of Cassandra's gossip)
 */
public record ProcessId(long incarnation, long generation) {
  /** Whether both have the same data directory and this one was started later. */
  boolean supersedes(ProcessId other) {
    return incarnation == other.incarnation && generation > other.generation;
  }

  @Override
  public String toString() {
    return Long.toHexString(incarnation) + "/" + generation;
  }
}
