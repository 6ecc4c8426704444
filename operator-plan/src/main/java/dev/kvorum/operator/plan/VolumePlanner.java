package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.Sizes;
import dev.kvorum.operator.view.TopologyView;
import dev.kvorum.operator.view.VolumeGrowth;
import dev.kvorum.operator.view.VolumeView;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Plans the size, annotations and owners of volumes. Volumes grow before the health of members is
 * checked: a full disk is a frequent cause of unhealthy members.
 */
public final class VolumePlanner {
  private VolumePlanner() {}

  static Optional<Step> next(Observed observed) {
    return resize(observed)
        .or(() -> mark(observed))
        .or(() -> markTopology(observed))
        .or(() -> saveTopology(observed));
  }

  private static Optional<Step> resize(Observed observed) {
    long wanted = wantedBytes(observed);
    return observed.volumes().values().stream()
        .filter(volume -> !volume.deleting())
        .filter(
            volume -> volume.bytes() < wanted ? canGrow(volume) : isHopelesslyLarge(volume, wanted))
        .filter(volume -> volume.bound() && volume.rejected().isEmpty())
        .findFirst()
        .map(volume -> new Step.ResizeVolume(volume.name(), wanted));
  }

  /**
   * Returns whether a claim requests more than the spec, which its volume has not become:
   * Kubernetes takes that back down to any size above the volume's.
   */
  private static boolean isHopelesslyLarge(VolumeView volume, long wanted) {
    return volume.bytes() > wanted && volume.capacityBytes() > 0 && volume.capacityBytes() < wanted;
  }

  /** Waits until the volumes of members have the size that they request, if they can have it. */
  static Optional<Step> growing(Observed observed) {
    return inUse(observed)
        .filter(volume -> isGrowing(observed, volume) && !volume.growth().hasFailed())
        .findFirst()
        .map(volume ->
            new Step.Wait(
                ClusterPhase.RESIZING,
                Reason.RESIZING_VOLUME,
                volume.name()
                    + switch (volume.growth()) {
                      case FILE_SYSTEM_PENDING ->
                          " is larger, and its machine has to enlarge the file system; where the"
                              + " storage driver cannot do so in use, delete the pod";
                      case RESIZING -> " is being enlarged by the storage system";
                      case NOT_REPORTED, FAILING, INFEASIBLE ->
                          " waits for the storage driver to enlarge it";
                    }));
  }

  private static boolean isGrowing(Observed observed, VolumeView volume) {
    long wanted = wantedBytes(observed);
    return volume.bound() && volume.bytes() >= wanted && volume.sizeBytes() < wanted;
  }

  /** Returns the volumes of members; all of them before there is a topology. */
  private static Stream<VolumeView> inUse(Observed observed) {
    return observed.volumes().entrySet().stream()
        .filter(it -> !it.getValue().deleting())
        .filter(it ->
            observed.epoch().isEmpty()
                || observed.epoch().get().member(observed.podName(it.getKey())).isPresent())
        .map(Map.Entry::getValue);
  }

  /** Returns the size of the smallest volume of a member; empty if there is none. */
  public static OptionalLong sizeBytes(Observed observed) {
    return inUse(observed)
        .filter(VolumeView::bound)
        .mapToLong(VolumeView::sizeBytes)
        .filter(bytes -> bytes > 0)
        .min();
  }

  /** Returns whether all volumes are larger than the spec requests. A larger one alone is used. */
  static boolean areTooLarge(Observed observed) {
    OptionalLong smallest = sizeBytes(observed);
    return smallest.isPresent() && smallest.getAsLong() > wantedBytes(observed);
  }

  /**
   * Marks a volume that a node has been started on: it may hold an identity and data, and no other
   * cluster may use it.
   */
  private static Optional<Step> mark(Observed observed) {
    if (TopologyRestore.isNeeded(observed)) {
      // A mark says that the node of this volume has a copy of the topology.
      return Optional.empty();
    }
    return observed.volumes().entrySet().stream()
        .filter(it -> !it.getValue().deleting() && it.getValue().clusterId().isEmpty())
        .filter(it -> mayHoldData(observed, it.getKey()))
        .findFirst()
        .map(it -> new Step.MarkVolume(it.getValue().name()));
  }

  private static boolean mayHoldData(Observed observed, int ordinal) {
    PodView pod = observed.pods().get(ordinal);
    return (pod != null && pod.hasRun())
        || observed.members().stream().anyMatch(member -> observed.ordinal(member) == ordinal);
  }

  /**
   * Saves each stable topology on the volumes of its members, for a cluster whose objects are all
   * lost.
   */
  private static Optional<Step> saveTopology(Observed observed) {
    Optional<KvorumTopologySpec> stable =
        observed.epoch().filter(now -> now.phase() == TopologyPhase.STABLE);
    return stable.flatMap(now ->
        observed.volumes().entrySet().stream()
            .filter(it -> !it.getValue().deleting() && it.getValue().isOf(now.clusterId()))
            .filter(it -> now.member(observed.podName(it.getKey())).isPresent())
            .filter(it -> !it.getValue().savedTopology().equals(stable))
            .findFirst()
            .map(it -> new Step.SaveTopology(it.getValue().name())));
  }

  private static Optional<Step> markTopology(Observed observed) {
    return observed
        .topology()
        .filter(topology -> !topology.marked() || (!topology.founded() && isFounded(observed)))
        .map(topology -> new Step.MarkTopology(isFounded(observed)));
  }

  /**
   * Returns whether the cluster is founded: a member has reported all its records. This is never
   * reverted, so that members without data count as having lost it.
   */
  private static boolean isFounded(Observed observed) {
    return observed.topology().filter(TopologyView::founded).isPresent()
        || observed.members().stream()
            .flatMap(member -> Health.report(observed, member).stream())
            .anyMatch(report -> !report.rebuilding());
  }

  /**
   * Updates whether volumes and topology are deleted with the cluster. This also happens while the
   * cluster is blocked or paused, since a deletion of the cluster depends on it.
   */
  static Optional<Step> own(Observed observed) {
    boolean goes = goesWithTheCluster(observed);
    return ours(observed)
        .filter(volume -> volume.owned() != goes)
        .findFirst()
        .<Step>map(volume -> new Step.OwnVolume(volume.name()))
        .or(() ->
            ourTopology(observed)
                .filter(topology -> topology.owned() != goes)
                .map(topology -> new Step.MarkTopology(isFounded(observed))));
  }

  /** Returns what would happen to volumes and topology if the cluster were deleted now. */
  public static DeletionPolicy onDeletion(Observed observed) {
    Stream<Boolean> owned =
        Stream.concat(
            ours(observed).map(VolumeView::owned),
            ourTopology(observed).map(TopologyView::owned).stream());
    return switch (observed.spec().deletionPolicy()) {
      case DELETE -> owned.allMatch(it -> it) ? DeletionPolicy.DELETE : DeletionPolicy.RETAIN;
      case RETAIN -> owned.noneMatch(it -> it) ? DeletionPolicy.RETAIN : DeletionPolicy.DELETE;
    };
  }

  private static Stream<VolumeView> ours(Observed observed) {
    String id = observed.status().clusterId();
    return observed.volumes().values().stream()
        .filter(volume -> id != null && !volume.deleting())
        .filter(volume -> volume.clusterId().filter(other -> !other.equals(id)).isEmpty());
  }

  private static Optional<TopologyView> ourTopology(Observed observed) {
    return observed
        .topology()
        .filter(topology -> topology.spec().clusterId().equals(observed.status().clusterId()));
  }

  /** Returns why the size in the spec is not possible. */
  static Optional<Notice> rejection(Observed observed) {
    long wanted = wantedBytes(observed);
    if (wanted > 0 && areTooLarge(observed)) {
      return Health.notice(
          Reason.VOLUME_CANNOT_SHRINK,
          "the volumes are larger than storage.size, and volumes cannot shrink: raise it to "
              + Sizes.text(sizeBytes(observed).getAsLong()));
    }
    return observed.volumes().values().stream()
        .flatMap(volume -> obstacle(observed, volume).stream())
        .findFirst()
        .map(why ->
            new Notice(
                Reason.VOLUME_CANNOT_GROW,
                why
                    + sizeBytes(observed).stream()
                        .filter(bytes -> bytes < wanted)
                        .mapToObj(bytes -> "; storage.size may go back to " + Sizes.text(bytes))
                        .findFirst()
                        .orElse("")));
  }

  private static Optional<String> obstacle(Observed observed, VolumeView volume) {
    long wanted = wantedBytes(observed);
    if (volume.bytes() < wanted && !canGrow(volume)) {
      return Optional.of(
          volume.name() + " has a storage class that does not allow volume expansion");
    }
    if (volume.rejected().isPresent()
        && (volume.bytes() < wanted || isHopelesslyLarge(volume, wanted))) {
      return Optional.of(
          "the API server rejects the size of " + volume.name() + ": " + volume.rejected().get());
    }
    return inUse(observed).anyMatch(volume::equals)
            && isGrowing(observed, volume)
            && volume.growth().hasFailed()
        ? Optional.of(
            volume.name()
                + (volume.growth() == VolumeGrowth.INFEASIBLE
                    ? " cannot be enlarged by the storage system"
                    : " could not be enlarged, which is tried again")
                + ": see its Events")
        : Optional.empty();
  }

  /** Returns the size that the spec requests; 0 if it cannot be parsed. */
  static long wantedBytes(Observed observed) {
    return Sizes.bytes(observed.spec().storage().size());
  }

  static boolean goesWithTheCluster(Observed observed) {
    return observed.spec().deletionPolicy() == DeletionPolicy.DELETE;
  }

  private static boolean canGrow(VolumeView volume) {
    return volume.expandable().orElse(true);
  }
}
