package dev.kvorum.operator.observe;

import java.util.Optional;

/**
 * A member's volume claim as it is.
 *
 * @param bound whether it has its volume: the size of one that waits for it cannot be changed
 * @param unbound why it has none, if that is known
 * @param bytes what it asks for
 * @param clusterId the founded cluster whose data it may hold
 * @param owned whether it goes when the cluster is deleted
 * @param growing whether what it has is less than what it asks for
 * @param expandable whether its storage class lets it grow; empty where that cannot be known
 * @param refused why the API did not let it grow a moment ago
 */
public record VolumeView(
    String name,
    boolean bound,
    Optional<String> unbound,
    long bytes,
    Optional<String> clusterId,
    boolean owned,
    boolean growing,
    Optional<Boolean> expandable,
    Optional<String> refused,
    boolean deleting) {
  /** The same after the API has refused it another size. */
  VolumeView refused(String why) {
    return new VolumeView(
        name,
        bound,
        unbound,
        bytes,
        clusterId,
        owned,
        growing,
        expandable,
        Optional.of(why),
        deleting);
  }
}
