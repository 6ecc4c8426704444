package dev.kvorum.coordinator;

import dev.kvorum.data.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas must answer, of how many.
 *
 * @param ack answers that are waited for, 1 to {@code from}
 * @param from replicas that are asked: the first of the key's preference list
 */
public record Quorum(int ack, int from) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException with a message for the client
   */
  public Quorum {
    // First from: an ack that was not given comes from it.
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
   * The quorum of a request that gives one of the numbers, both or none.
   *
   * @param replication the cluster's default for {@code from}, less where there are fewer members
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

  /** More than half. */
  public static int majorityOf(int replicas) {
    return replicas / 2 + 1;
  }

  /** Whether any two such quorums of one key intersect in a replica. */
  public boolean isMajority() {
    return ack > from / 2;
  }
}
