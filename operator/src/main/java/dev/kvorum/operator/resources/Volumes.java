package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopologySpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Builds the claims of the StatefulSet with what the operator adds to them. */
public final class Volumes {
  private Volumes() {}

  /** Records whose data the volume may hold, and whether it is deleted with the cluster. */
  public static PersistentVolumeClaim marked(
      PersistentVolumeClaim claim, KvorumCluster cluster, String clusterId) {
    return new PersistentVolumeClaimBuilder(owned(claim, cluster))
        .editMetadata()
        .addToAnnotations(Labels.CLUSTER_ID, clusterId)
        .endMetadata()
        .build();
  }

  /** Records whether the volume is deleted with the cluster, and excludes it from pruning. */
  public static PersistentVolumeClaim owned(PersistentVolumeClaim claim, KvorumCluster cluster) {
    return new PersistentVolumeClaimBuilder(claim)
        .editMetadata()
        .addToAnnotations(Labels.SYNC_OPTIONS, Labels.KEPT)
        .withOwnerReferences(Topologies.owners(claim.getMetadata().getOwnerReferences(), cluster))
        .endMetadata()
        .build();
  }

  /** Marks the volume of a member that left with the time, or removes that mark. */
  public static PersistentVolumeClaim left(PersistentVolumeClaim claim, Optional<Instant> at) {
    PersistentVolumeClaimBuilder marked =
        new PersistentVolumeClaimBuilder(claim)
            .editMetadata()
            .removeFromAnnotations(Labels.LEFT_AT)
            .endMetadata();
    return at.isEmpty()
        ? marked.build()
        : marked
            .editMetadata()
            .addToAnnotations(Labels.LEFT_AT, at.get().truncatedTo(ChronoUnit.SECONDS).toString())
            .endMetadata()
            .build();
  }

  /** Returns the time in that mark; empty if there is none, or one that cannot be parsed. */
  public static Optional<Instant> leftAt(PersistentVolumeClaim claim) {
    try {
      return Labels.annotation(claim.getMetadata(), Labels.LEFT_AT).map(Instant::parse);
    } catch (DateTimeParseException changedByHand) {
      return Optional.empty();
    }
  }

  /** Saves a topology on the volume. */
  public static PersistentVolumeClaim withTopology(
      PersistentVolumeClaim claim, KvorumTopologySpec topology) {
    return new PersistentVolumeClaimBuilder(claim)
        .editMetadata()
        .addToAnnotations(Labels.TOPOLOGY, Serialization.asJson(topology))
        .endMetadata()
        .build();
  }

  /** Returns the saved topology; empty if there is none, or one that cannot be parsed. */
  public static Optional<KvorumTopologySpec> topology(PersistentVolumeClaim claim) {
    return Labels.annotation(claim.getMetadata(), Labels.TOPOLOGY).flatMap(Volumes::parsed);
  }

  private static Optional<KvorumTopologySpec> parsed(String json) {
    try {
      return Optional.of(Serialization.unmarshal(json, KvorumTopologySpec.class));
    } catch (RuntimeException changedByHand) {
      return Optional.empty();
    }
  }

  /** Requests the size in the spec. */
  public static PersistentVolumeClaim resized(PersistentVolumeClaim claim, KvorumCluster cluster) {
    return new PersistentVolumeClaimBuilder(claim)
        .editSpec()
        .editOrNewResources()
        .addToRequests("storage", new Quantity(cluster.getSpec().storage().size()))
        .endResources()
        .endSpec()
        .build();
  }
}
