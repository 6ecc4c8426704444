package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.observe.Observed;
import dev.kvorum.operator.observe.Sizes;
import dev.kvorum.operator.observe.VolumeView;
import java.util.Optional;

/**
 * Volumes grow before anything asks whether members are well: a full disk is often why they are
 * not.
 */
public final class VolumePlanner {
  private VolumePlanner() {}

  static Optional<Step> next(Observed observed) {
    return resize(observed).or(() -> mark(observed)).or(() -> markTopology(observed));
  }

  private static Optional<Step> resize(Observed observed) {
    long wanted = wantedBytes(observed);
    return observed.volumes().values().stream()
        .filter(volume -> !volume.deleting() && volume.bytes() < wanted && canGrow(volume))
        .filter(volume -> volume.bound() && volume.refused().isEmpty())
        .findFirst()
        .map(volume -> new Step.ResizeVolume(volume.name(), wanted));
  }

  private static Optional<Step> mark(Observed observed) {
    return observed.volumes().values().stream()
        .filter(volume -> !volume.deleting())
        .filter(volume ->
            volume.clusterId().isEmpty()
                || (volume.clusterId().get().equals(observed.status().clusterId())
                    && volume.owned() != goesWithTheCluster(observed)))
        .findFirst()
        .map(volume -> new Step.MarkVolume(volume.name()));
  }

  private static Optional<Step> markTopology(Observed observed) {
    return observed
        .topology()
        .filter(topology -> !topology.marked() || topology.owned() != goesWithTheCluster(observed))
        .map(topology -> new Step.MarkTopology());
  }

  /** The size the spec asks for cannot be had. */
  static Optional<Notice> refusal(Observed observed) {
    long wanted = wantedBytes(observed);
    for (VolumeView volume : observed.volumes().values()) {
      if (wanted > 0 && volume.bytes() > wanted) {
        return Optional.of(
            new Notice(
                Reason.VOLUME_CANNOT_SHRINK,
                volume.name() + " is larger than storage.size, and no volume can be made smaller"));
      }
      if (volume.bytes() < wanted && !canGrow(volume)) {
        return Optional.of(
            new Notice(
                Reason.VOLUME_CANNOT_GROW,
                volume.name() + " is of a storage class that does not let volumes grow"));
      }
      if (volume.bytes() < wanted && volume.refused().isPresent()) {
        return Optional.of(
            new Notice(
                Reason.VOLUME_CANNOT_GROW,
                "the API refuses to raise " + volume.name() + ": " + volume.refused().get()));
      }
    }
    return Optional.empty();
  }

  /** The size that the spec asks for; 0 where it says none that can be read. */
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
