package dev.kvorum.operator.view;

import dev.kvorum.operator.api.KvorumTopologySpec;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a member's volume claim.
 *
 * @param uid of this claim, not of a successor of its name
 * @param bound whether it has a volume: the size of an unbound claim cannot be changed
 * @param unbound why it has no volume, if known
 * @param bytes the size that it requests
 * @param capacityBytes the size of its volume; 0 if unknown
 * @param clusterId the founded cluster whose data it may hold
 * @param leftAt when it was first seen that its member had left, if it is to be deleted for that
 * @param savedTopology the topology of a stable epoch that is saved on it
 * @param owned whether it is deleted with the cluster
 * @param growth what is reported while its volume is smaller than it requests
 * @param expandable whether its storage class allows expansion; empty if unknown
 * @param rejected why the API server recently rejected a larger size
 */
public record VolumeView(
    String name,
    String uid,
    boolean bound,
    Optional<String> unbound,
    long bytes,
    long capacityBytes,
    Optional<String> clusterId,
    Optional<Instant> leftAt,
    Optional<KvorumTopologySpec> savedTopology,
    boolean owned,
    VolumeGrowth growth,
    Optional<Boolean> expandable,
    Optional<String> rejected,
    boolean deleting) {
  /** Returns the size that it has, as far as that was requested. */
  public long sizeBytes() {
    return capacityBytes > 0 ? Math.min(capacityBytes, bytes) : bytes;
  }

  /** Returns whether it may hold the data of this cluster. */
  public boolean isOf(@Nullable String id) {
    return clusterId.filter(own -> own.equals(id)).isPresent();
  }

  /** Returns this view with a rejected size. */
  VolumeView rejected(String why) {
    return new VolumeView(
        name,
        uid,
        bound,
        unbound,
        bytes,
        capacityBytes,
        clusterId,
        leftAt,
        savedTopology,
        owned,
        growth,
        expandable,
        Optional.of(why),
        deleting);
  }
}
