package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

/** The claims that the StatefulSet makes, with what the operator adds to them. */
public final class Volumes {
  private Volumes() {}

  /** Whose data it may hold, and whether it goes with the cluster. */
  public static PersistentVolumeClaim marked(
      PersistentVolumeClaim claim, KvorumCluster cluster, String clusterId) {
    return new PersistentVolumeClaimBuilder(owned(claim, cluster))
        .editMetadata()
        .addToAnnotations(Labels.CLUSTER_ID, clusterId)
        .endMetadata()
        .build();
  }

  /** Marks whether it is deleted with the cluster, and that no tool prunes it. */
  public static PersistentVolumeClaim owned(PersistentVolumeClaim claim, KvorumCluster cluster) {
    return new PersistentVolumeClaimBuilder(claim)
        .editMetadata()
        .addToAnnotations(Labels.SYNC_OPTIONS, Labels.KEPT)
        .withOwnerReferences(Topologies.owners(claim.getMetadata().getOwnerReferences(), cluster))
        .endMetadata()
        .build();
  }

  /** As large as the spec asks for. */
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
