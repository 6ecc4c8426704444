package dev.kvorum.simulation.cluster;

import dev.kvorum.coordinator.Change;
import dev.kvorum.data.RecordKind;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.ProcessId;
import dev.kvorum.rpc.Release;
import dev.kvorum.simulation.storage.SimDisk;
import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The release that a process runs, which may lack features, and those that it uses. */
public final class SimRelease {
  /** A process does not start: its release lacks an active feature. */
  static final class RejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RejectedException() {
      super("its release lacks an active feature");
    }
  }

  private final Release release;
  private final ActiveFeatures features;

  private SimRelease(Release release, ActiveFeatures features) {
    this.release = release;
    this.features = features;
  }

  /**
   * Checks a disk and its topology as a node does before it opens its store.
   *
   * @param haveAllHadAll whether each member has ever had a release with all features
   * @param onFailure receives what must not have happened
   */
  static SimRelease start(
      SimNode node, BooleanSupplier haveAllHadAll, Consumer<RuntimeException> onFailure) {
    SimDisk disk = node.disk;
    Topology topology = Objects.requireNonNull(disk.topology);
    SimRelease installed =
        new SimRelease(
            new Release("", Release.CURRENT.protocols(), node.release()),
            new ActiveFeatures(
                disk.features,
                all -> {
                  disk.features = all;
                  if (!haveAllHadAll.getAsBoolean()) {
                    onFailure.accept(
                        new IllegalStateException("activated what a member has never had"));
                  }
                }));
    if (!node.release().containsAll(disk.features) || !installed.canRead(topology)) {
      throw new RejectedException();
    }
    boolean isTyped =
        disk.written().records.values().stream()
            .anyMatch(record -> record.kind() == RecordKind.TYPED_VALUE);
    if (isTyped && !node.release().contains(Feature.CONTENT_TYPE)) {
      onFailure.accept(
          new IllegalStateException("started on records that its release cannot read"));
    }
    installed.features.activate(topology.features());
    return installed;
  }

  LocalMember member(MemberId id, ProcessId process, int loops, CurrentTopology topology) {
    return new LocalMember(id, process, release, loops, topology, features);
  }

  /** Whether its nodes read a topology: not one with features that they lack. */
  boolean canRead(Topology topology) {
    return release.features().containsAll(topology.features());
  }

  /** A change as it is stored: values have a media type as soon as that is kept. */
  Change kept(Change change) {
    return change instanceof Change.Put put && features.contains(Feature.CONTENT_TYPE)
        ? new Change.Put(put.value(), put.ttlMillis(), RecordKind.TYPED_VALUE)
        : change;
  }

  /** The features that it has. */
  public Set<Feature> all() {
    return release.features();
  }

  /** The features that the process uses. */
  public Set<Feature> active() {
    return features.get();
  }

  /** Whether it has all features. */
  public boolean hasAll() {
    return all().equals(Feature.all());
  }

  /** Whether the process uses all features. */
  public boolean usesAll() {
    return active().equals(Feature.all());
  }
}
