package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.BootstrapSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.UserFileNames;
import dev.kvorum.operator.users.UserSecrets;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The objects as they were read, for writing: each has the resource version that its update
 * requires.
 *
 * @param view the same state as values, for planning
 * @param tls TLS between members that pods are started with
 * @param haveUsers whether pods are mounted the file with users
 * @param users the users of the cluster
 * @param wanted the desired state of the other objects, by key
 * @param found the other objects that exist, by key
 * @param source where the backup that it begins with is
 * @param restoreJobs the Jobs that look for it and restore it, by name
 * @param restoreUser the user that orders to restore come from, if there is one
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
    boolean haveUsers,
    UserSecrets users,
    Map<String, HasMetadata> wanted,
    Map<String, HasMetadata> found,
    BootstrapSpec.RestoreSource source,
    Map<String, Job> restoreJobs,
    Optional<KvorumUser> restoreUser,
    List<KvorumTask> tasks) {
  /** Returns the image that pods should have; may be empty. */
  public String image() {
    return view.image().wanted();
  }

  /** By pod, the hash of the users that its node has read; an empty text if that is unknown. */
  public Map<String, String> usersRead() {
    return view.pods().values().stream()
        .collect(
            Collectors.toMap(
                PodView::name, pod -> view.report(pod).map(NodeReport::users).orElse("")));
  }

  /** The pods that do not know yet that the file has changed. */
  public List<Pod> unaware() {
    Optional<String> stored = users.digest();
    return stored.isEmpty()
        ? List.of()
        : pods.values().stream()
            .filter(pod -> UserFileNames.areMounted(pod.getSpec()))
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .filter(pod -> !Labels.annotation(pod.getMetadata(), Labels.USERS).equals(stored))
            .toList();
  }

  /**
   * Returns this snapshot with the volume sizes and objects that the API server has rejected, and
   * why.
   */
  public Snapshot withRejected(Map<String, String> whys) {
    return whys.isEmpty()
        ? this
        : new Snapshot(
            view.withRejected(whys),
            cluster,
            statefulSet,
            topology,
            pods,
            volumes,
            tls,
            haveUsers,
            users,
            wanted,
            found,
            source,
            restoreJobs,
            restoreUser,
            tasks);
  }
}
