package dev.kvorum.coordinator;

import dev.kvorum.data.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Number of replicas that must confirm a request, and number of replicas that receive it.
 *
 * @param ack confirmations that are required, 1 to {@code from}
 * @param from number of replicas: the first {@code from} members of the key's preference list
 */
public record Quorum(int ack, int from) {
  /**
   * Validates the numbers.
   *
   * @throws IllegalArgumentException with a message for the client
   */
  public Quorum {
    // Check from first: an omitted ack is derived from it.
    if (from < 1 || from > Versioned.FROM_MAX) {
      throw new IllegalArgumentException(
          "from is " + from + "; it must be 1 to " + Versioned.FROM_MAX);
    }
    if (ack < 1) {
      throw new IllegalArgumentException("ack is " + ack + "; it must be at least 1");
    }
    if (ack > from) {
      throw new IllegalArgumentException(
          "ack is " + ack + " and from is " + from + "; ack must not be more than from");
    }
  }

  /**
   * Creates the quorum of a request that gives one, both or neither of the numbers.
   *
   * @param replication default for {@code from}; a smaller cluster uses its number of members
   * @throws IllegalArgumentException with a message for the client
   */
  public static Quorum of(
      @Nullable Integer ack, @Nullable Integer from, int replication, int members) {
    int replicas = from != null ? from : Math.min(replication, members);
    if (replicas > members) {
      throw new IllegalArgumentException(
          "from is " + replicas + "; the cluster has " + members + " members");
    }
    return new Quorum(ack != null ? ack : majorityOf(replicas), replicas);
  }

  /** Returns the smallest majority. */
  public static int majorityOf(int replicas) {
    return replicas / 2 + 1;
  }

  /** Returns whether any two quorums of this kind for one key share a replica. */
  public boolean isMajority() {
    return ack > from / 2;
  }
}
