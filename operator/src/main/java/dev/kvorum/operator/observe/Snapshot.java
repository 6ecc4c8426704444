package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.view.Observed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects as they were read, for writing: each has the resource version that its update
 * requires.
 *
 * @param view the same state as values, for planning
 * @param tls TLS between members that pods are started with
 * @param wanted the desired state of the other objects, by key
 * @param found the other objects that exist, by key
 * @param tasks those that have not ended, in the order in which they run
 */
public record Snapshot(
    Observed view,
    KvorumCluster cluster,
    Optional<StatefulSet> statefulSet,
    Optional<KvorumTopology> topology,
    Map<String, Pod> pods,
    Map<String, PersistentVolumeClaim> volumes,
    PeerTls tls,
    Map<String, HasMetadata> wanted,
    Map<String, HasMetadata> found,
    List<KvorumTask> tasks) {
  /** Returns the image that pods should have; may be empty. */
  public String image() {
    return view.image().wanted();
  }

  /**
   * Returns this snapshot with the volume sizes and objects that the API server has rejected, and
   * why.
   */
  public Snapshot withRefused(Map<String, String> whys) {
    return whys.isEmpty()
        ? this
        : new Snapshot(
            view.withRefused(whys),
            cluster,
            statefulSet,
            topology,
            pods,
            volumes,
            tls,
            wanted,
            found,
            tasks);
  }
}
