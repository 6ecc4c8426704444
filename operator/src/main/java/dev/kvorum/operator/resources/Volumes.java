package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

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
