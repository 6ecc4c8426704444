package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Map;
import java.util.Optional;

/**
 * What was read, for the writer: each object with the resource version that its update requires.
 *
 * @param view the same as values, for planning
 * @param wanted the other objects as they should be, by key
 * @param found the other objects that are there, by key
 */
public record Snapshot(
    Observed view,
    KvorumCluster cluster,
    Optional<StatefulSet> statefulSet,
    Optional<KvorumTopology> topology,
    Map<String, Pod> pods,
    Map<String, PersistentVolumeClaim> volumes,
    Map<String, HasMetadata> wanted,
    Map<String, HasMetadata> found) {
  /** What pods are made with; may be empty. */
  public String image() {
    return view.image().wanted();
  }

  /** The same, knowing which volumes the API refuses another size, and which objects, and why. */
  public Snapshot withRefused(Map<String, String> whys) {
    return whys.isEmpty()
        ? this
        : new Snapshot(
            view.withRefused(whys), cluster, statefulSet, topology, pods, volumes, wanted, found);
  }
}
