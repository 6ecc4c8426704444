package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.StorageSpec;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.VolumeView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans the deletion of volumes of members that left, if the spec asks for it. How long ago that
 * was is known from a mark on the volume. The mark goes before a member can come back, so that a
 * volume that was in use in between is not taken for one that was left before.
 */
public final class LeftVolumePlanner {
  private LeftVolumePlanner() {}

  /** Returns the volumes of members that left, which nothing uses or is about to use. */
  public static List<VolumeView> left(Observed observed) {
    String id = observed.status().clusterId();
    Optional<KvorumTopologySpec> topology =
        observed.epoch().filter(now -> now.clusterId().equals(id));
    if (topology.isEmpty()) {
      return List.of();
    }
    int used =
        Math.max(
            ScalePlanner.target(observed),
            observed.statefulSet().map(set -> set.replicas()).orElse(0));
    return observed.volumes().tailMap(used).entrySet().stream()
        .filter(it -> topology.get().member(observed.podName(it.getKey())).isEmpty())
        .filter(it -> !observed.pods().containsKey(it.getKey()))
        .map(Map.Entry::getValue)
        .filter(volume -> volume.isOf(id) && !volume.deleting())
        .toList();
  }

  /** Removes the mark of a volume that is used again, or is not to be deleted any more. */
  static Optional<Step> unmark(Observed observed) {
    List<VolumeView> left = isAsked(observed) ? left(observed) : List.of();
    return observed.volumes().values().stream()
        .filter(volume -> volume.leftAt().isPresent() && !volume.deleting())
        .filter(volume -> !left.contains(volume))
        .findFirst()
        .map(volume -> new Step.MarkLeftVolume(volume.name(), false));
  }

  /** Marks or deletes a volume of a cluster that has nothing else to do. */
  static Optional<Step> next(Observed observed) {
    if (!isAsked(observed)
        || observed.epoch().filter(it -> it.phase() == TopologyPhase.STABLE).isEmpty()) {
      return Optional.empty();
    }
    StorageSpec storage = observed.spec().storage();
    List<VolumeView> left = left(observed);
    return left.stream()
        .filter(volume -> volume.leftAt().isEmpty())
        .findFirst()
        .<Step>map(volume -> new Step.MarkLeftVolume(volume.name(), true))
        .or(() ->
            left.stream()
                .filter(volume ->
                    !observed.now().isBefore(volume.leftAt().orElseThrow().plus(storage.leftFor())))
                .findFirst()
                .map(volume -> new Step.RemoveLeftVolume(volume.name(), volume.uid())));
  }

  private static boolean isAsked(Observed observed) {
    return observed.spec().storage().leftVolumes() == DeletionPolicy.DELETE;
  }
}
