package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.Marks;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Volume claims as values. Storage classes are asked for only when a volume should grow. */
final class VolumeReader {
  private final KubernetesClient client;
  private final KvorumCluster cluster;
  private final long wantedBytes;
  private final Map<String, Optional<Boolean>> expandable = new HashMap<>();

  VolumeReader(KubernetesClient client, KvorumCluster cluster) {
    this.client = client;
    this.cluster = cluster;
    this.wantedBytes = Sizes.bytes(cluster.getSpec().storage().size());
  }

  SortedMap<Integer, VolumeView> views(Map<String, PersistentVolumeClaim> claims) {
    SortedMap<Integer, VolumeView> views = new TreeMap<>();
    claims.forEach((name, claim) -> views.put(Ordinals.of(name), view(claim)));
    return views;
  }

  private VolumeView view(PersistentVolumeClaim claim) {
    long bytes = Views.storage(claim.getSpec().getResources());
    Map<String, Quantity> capacity =
        claim.getStatus() == null ? null : claim.getStatus().getCapacity();
    Quantity has = capacity == null ? null : capacity.get("storage");
    return new VolumeView(
        claim.getMetadata().getName(),
        claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase()),
        bytes,
        Marks.annotation(claim.getMetadata(), Marks.CLUSTER_ID),
        Marks.isOwned(claim, cluster),
        has != null && Sizes.bytes(has) < bytes,
        bytes < wantedBytes ? expandable(claim.getSpec().getStorageClassName()) : Optional.empty(),
        Optional.empty(),
        claim.getMetadata().getDeletionTimestamp() != null);
  }

  private Optional<Boolean> expandable(@Nullable String storageClass) {
    if (storageClass == null || storageClass.isEmpty()) {
      return Optional.empty();
    }
    return expandable.computeIfAbsent(storageClass, this::ask);
  }

  private Optional<Boolean> ask(String storageClass) {
    try {
      StorageClass found = client.storage().v1().storageClasses().withName(storageClass).get();
      return Optional.ofNullable(found)
          .map(it -> Boolean.TRUE.equals(it.getAllowVolumeExpansion()));
    } catch (KubernetesClientException refused) {
      return Zones.forbidden(refused);
    }
  }
}
