package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.Volumes;
import dev.kvorum.operator.view.Ordinals;
import dev.kvorum.operator.view.Sizes;
import dev.kvorum.operator.view.VolumeGrowth;
import dev.kvorum.operator.view.VolumeView;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimCondition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts volume claims to values. Storage classes are read only if a volume should grow or is
 * unbound.
 */
final class VolumeReader {
  /** By what Kubernetes calls it. */
  private static final Map<VolumeGrowth, Set<String>> GROWTH =
      Map.of(
          VolumeGrowth.RESIZING,
          Set.of("Resizing", "ControllerResizeInProgress"),
          VolumeGrowth.FILE_SYSTEM_PENDING,
          Set.of("FileSystemResizePending", "NodeResizePending", "NodeResizeInProgress"),
          VolumeGrowth.FAILING,
          Set.of(
              "ControllerResizeError",
              "NodeResizeError",
              "ControllerResizeFailed",
              "NodeResizeFailed"),
          VolumeGrowth.INFEASIBLE,
          Set.of("ControllerResizeInfeasible", "NodeResizeInfeasible"));

  private final StorageClasses classes;
  private final KvorumCluster cluster;
  private final long wantedBytes;

  VolumeReader(Reads reads, KvorumCluster cluster) {
    this.classes = new StorageClasses(reads);
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
    boolean bound = claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase());
    return new VolumeView(
        claim.getMetadata().getName(),
        claim.getMetadata().getUid(),
        bound,
        unbound(claim, bound),
        bytes,
        has == null ? 0 : Sizes.bytes(has),
        Labels.annotation(claim.getMetadata(), Labels.CLUSTER_ID),
        Volumes.leftAt(claim),
        Volumes.topology(claim),
        Labels.isOwned(claim, cluster),
        growth(claim.getStatus()),
        bytes < wantedBytes ? expandable(claim.getSpec().getStorageClassName()) : Optional.empty(),
        Optional.empty(),
        claim.getMetadata().getDeletionTimestamp() != null);
  }

  /** Reads the conditions, and the states of the resource by which newer releases tell more. */
  private static VolumeGrowth growth(@Nullable PersistentVolumeClaimStatus status) {
    if (status == null) {
      return VolumeGrowth.NOT_REPORTED;
    }
    Set<String> said =
        status.getConditions().stream()
            .filter(condition -> condition.getStatus().equals("True"))
            .map(PersistentVolumeClaimCondition::getType)
            .collect(Collectors.toSet());
    Map<String, String> states = status.getAllocatedResourceStatuses();
    if (states != null && states.containsKey("storage")) {
      said.add(states.get("storage"));
    }
    return GROWTH.entrySet().stream()
        .filter(growth -> said.stream().anyMatch(growth.getValue()::contains))
        .map(Map.Entry::getKey)
        .max(Comparator.naturalOrder())
        .orElse(VolumeGrowth.NOT_REPORTED);
  }

  /**
   * Returns why a claim is unbound, if known. A claim without a class name waits for a default
   * class, even one that is created later.
   */
  private Optional<String> unbound(PersistentVolumeClaim claim, boolean bound) {
    String storageClass = claim.getSpec().getStorageClassName();
    return bound || "".equals(storageClass) ? Optional.empty() : classes.missing(storageClass);
  }

  private Optional<Boolean> expandable(@Nullable String storageClass) {
    return storageClass == null || storageClass.isEmpty()
        ? Optional.empty()
        : classes.find(storageClass).map(it -> Boolean.TRUE.equals(it.getAllowVolumeExpansion()));
  }
}
