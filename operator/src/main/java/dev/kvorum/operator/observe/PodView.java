package dev.kvorum.operator.observe;

import java.time.Instant;
import java.util.Optional;

/**
 * A pod as it is.
 *
 * @param specHash of what it was made from
 * @param image what it was made with, as the operator wrote it; an empty text where it did not
 * @param zone the failure domain of the node that it is on, once it is on one; may be an empty text
 * @param startedAt since when its container runs, if it does
 * @param hasRun whether its container has ever been started, so that its volume may hold something
 * @param restarts how often its container has been started again
 * @param terminatingAt when it should be gone, if it is on its way out
 * @param trouble why its container or its scheduling makes no progress
 * @param report the report of the node in it, if it was reachable
 */
public record PodView(
    String name,
    int ordinal,
    String uid,
    String specHash,
    String image,
    Instant createdAt,
    Optional<String> zone,
    Optional<Instant> startedAt,
    boolean hasRun,
    int restarts,
    boolean ready,
    Optional<Instant> terminatingAt,
    Optional<String> trouble,
    Optional<NodeReport> report) {
  public boolean started() {
    return startedAt.isPresent();
  }

  public boolean terminating() {
    return terminatingAt.isPresent();
  }
}
