package dev.kvorum.operator.view;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The observed state of a pod.
 *
 * @param specHash hash of the spec that it was created from
 * @param image the image that the operator set on it; an empty text if it set none
 * @param place where it runs; empty before it is scheduled
 * @param startedAt when its running container started
 * @param hasRun whether its container has ever started, so that its volume may hold something
 * @param restarts how often its container has been restarted
 * @param unreadySince since when it has not been ready; empty if it is, or nobody has said
 * @param reachable whether its readiness gate is open, or not set
 * @param waits present while its node has no topology that lists it: the epoch in which it has
 *     left, or 0
 * @param terminatingAt the deadline for its termination, if it is being deleted
 * @param trouble why its container or its scheduling makes no progress
 * @param report the report of its node, if it was reachable
 */
public record PodView(
    String name,
    int ordinal,
    String uid,
    String specHash,
    String image,
    Instant createdAt,
    Optional<Place> place,
    Optional<Instant> startedAt,
    boolean hasRun,
    int restarts,
    boolean ready,
    Optional<Instant> unreadySince,
    boolean reachable,
    OptionalLong waits,
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
