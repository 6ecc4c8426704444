package dev.kvorum.operator.act;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.job.RestoreJobs;
import dev.kvorum.operator.observe.Snapshot;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.Fallback;
import dev.kvorum.operator.resources.ImageCheckJobs;
import dev.kvorum.operator.resources.Operand;
import dev.kvorum.operator.resources.StatefulSets;
import dev.kvorum.operator.resources.Tasks;
import dev.kvorum.operator.resources.TemplateSeal;
import dev.kvorum.operator.resources.Topologies;
import dev.kvorum.operator.resources.VolumeOwner;
import dev.kvorum.operator.resources.Volumes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Executes one step. Updates are based on the resource version that was read. A step that was
 * planned from a stale snapshot, or by an operator that is no longer the leader, therefore fails
 * with a conflict.
 */
public final class StepExecutor {
  private final Writes writes;
  private final Supplier<String> clusterIds;
  private final Predicate<KvorumCluster> ownedByRoot;

  /**
   * Creates an executor.
   *
   * @param clusterIds supplies ids of new clusters
   * @param ownedByRoot whether a cluster's volumes belong to root, so that an init container must
   *     change their owner
   */
  public StepExecutor(
      Writes writes, Supplier<String> clusterIds, Predicate<KvorumCluster> ownedByRoot) {
    this.writes = writes;
    this.clusterIds = clusterIds;
    this.ownedByRoot = ownedByRoot;
  }

  private StatefulSet owned(Snapshot there, StatefulSet set) {
    return ownedByRoot.test(there.cluster()) ? VolumeOwner.withChownInit(set) : set;
  }

  /** Executes the step and returns whether it was a write that the API server has accepted. */
  public boolean act(Snapshot there, Step step) {
    switch (step) {
      case Step.Identify identify -> identify(there, identify.clusterId());
      case Step.PutObject put -> put(there, put.object());
      case Step.MarkVolume mark ->
          writes.replace(
              Volumes.marked(volume(there, mark.volume()), there.cluster(), clusterId(there)));
      case Step.OwnVolume own ->
          writes.replace(Volumes.owned(volume(there, own.volume()), there.cluster()));
      case Step.SaveTopology save ->
          writes.replace(
              Volumes.withTopology(volume(there, save.volume()), topology(there).getSpec()));
      case Step.ResizeVolume resize ->
          writes.replace(Volumes.resized(volume(there, resize.volume()), there.cluster()));
      case Step.RemoveVolume remove -> writes.remove(volume(there, remove.volume()));
      case Step.MarkLeftVolume mark ->
          writes.replace(
              Volumes.left(
                  volume(there, mark.volume()),
                  mark.left() ? Optional.of(there.view().now()) : Optional.empty()));
      case Step.RemoveLeftVolume remove -> writes.remove(volume(there, remove.volume()));
      case Step.CheckImage check ->
          writes.create(ImageCheckJobs.of(there.cluster(), check.image()));
      case Step.CreateStatefulSet create ->
          writes.create(
              owned(
                  there, StatefulSets.create(there.cluster(), operand(there), create.replicas())));
      case Step.OwnStatefulSet _ -> writes.replace(StatefulSets.owned(set(there), there.cluster()));
      case Step.SealStatefulSet _ -> writes.replace(TemplateSeal.sealed(set(there)));
      case Step.UpdateStatefulSet update ->
          writes.replace(
              owned(
                  there,
                  StatefulSets.updated(
                      set(there), there.cluster(), operand(there), update.rolledOut())));
      case Step.RollBack back ->
          writes.replace(Fallback.rolledBack(set(there), back.failed(), back.why()));
      case Step.RecreateStatefulSet _ -> writes.orphan(set(there));
      case Step.ScaleStatefulSet scale ->
          writes.replace(StatefulSets.scaled(set(there), scale.to()));
      case Step.BootstrapTopology found ->
          writes.create(
              Topologies.restoring(
                  Topologies.create(
                      there.cluster(),
                      new KvorumTopologySpec(
                          clusterId(there),
                          1,
                          TopologyPhase.STABLE,
                          found.members(),
                          found.features())),
                  found.order()));
      case Step.CheckBackup _ -> writes.create(RestoreJobs.check(there.cluster(), there.source()));
      case Step.RestoreBackup restore ->
          writes.create(
              RestoreJobs.restore(
                  there.cluster(),
                  topology(there).getSpec().members(),
                  restore.id(),
                  there.view().restore().user()));
      case Step.RemoveRestoreJob remove ->
          writes.removeWithPods(Objects.requireNonNull(there.restoreJobs().get(remove.job())));
      case Step.CreateRestoreUser _ -> writes.create(RestoreJobs.user(there.cluster()));
      case Step.RemoveRestoreUser _ -> there.restoreUser().ifPresent(writes::remove);
      case Step.EndRestore _ ->
          writes.replace(Topologies.restoring(topology(there), Optional.empty()));
      case Step.RestoreTopology restore ->
          writes.create(
              Topologies.restoring(
                  Topologies.marked(
                      Topologies.create(there.cluster(), restore.topology()),
                      there.cluster(),
                      restore.founded()),
                  restore.restore()));
      case Step.MarkTopology mark ->
          writes.replace(Topologies.marked(topology(there), there.cluster(), mark.founded()));
      case Step.NextEpoch next ->
          writes.replace(Topologies.changed(topology(there), next.change().next()));
      case Step.StartTask start ->
          writes.status(
              Tasks.started(
                  task(there, start.task()), start.why(), start.replacedUid(), there.view().now()));
      case Step.EndTask end ->
          writes.status(
              Tasks.in(
                  task(there, end.task()),
                  end.complete() ? TaskPhase.COMPLETE : TaskPhase.FAILED,
                  end.why(),
                  there.view().now()));
      case Step.RestartPod restart -> {
        return restart(there, restart);
      }
      case Step.Wait _, Step.Reject _, Step.Rest _ -> {
        return false;
      }
    }
    return true;
  }

  private void identify(Snapshot there, String known) {
    KvorumCluster cluster = Topologies.copy(there.cluster());
    cluster.setStatus(
        there.view().status().withClusterId(known.isEmpty() ? clusterIds.get() : known));
    writes.status(cluster);
  }

  private void put(Snapshot there, String key) {
    HasMetadata wanted = Objects.requireNonNull(there.wanted().get(key));
    Optional<HasMetadata> found = Optional.ofNullable(there.found().get(key));
    if (found.isEmpty()) {
      writes.create(wanted);
    } else if (ClusterObjects.isUnwanted(wanted, there.cluster().getSpec())) {
      writes.remove(found.get());
    } else {
      writes.replace(ClusterObjects.withDesired(found.get(), wanted));
    }
  }

  private boolean restart(Snapshot there, Step.RestartPod restart) {
    Pod pod = Objects.requireNonNull(there.pods().get(restart.pod()));
    if (restart.evict()) {
      return writes.evict(pod);
    }
    writes.delete(pod);
    return true;
  }

  private static KvorumTask task(Snapshot there, String name) {
    return there.tasks().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PersistentVolumeClaim volume(Snapshot there, String name) {
    return Objects.requireNonNull(there.volumes().get(name));
  }

  private static String clusterId(Snapshot there) {
    return Objects.requireNonNull(there.view().status().clusterId());
  }

  private static Operand operand(Snapshot there) {
    return new Operand(clusterId(there), there.image(), there.tls(), there.haveUsers());
  }

  private static StatefulSet set(Snapshot there) {
    return there.statefulSet().orElseThrow();
  }

  private static KvorumTopology topology(Snapshot there) {
    return there.topology().orElseThrow();
  }
}
