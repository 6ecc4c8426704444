package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.RestoreView.FoundBackup;
import java.util.List;
import java.util.Optional;

/**
 * The next step of a cluster. Every kind except {@link Wait}, {@link Reject} and {@link Rest} is
 * one write to the API, which may be repeated or lost without harm.
 */
public sealed interface Step {
  /** Writes the id of the cluster to its status; an empty id stands for a new one. */
  record Identify(String clusterId) implements Step {}

  /** Creates, updates or removes one of the objects beside the StatefulSet. */
  record PutObject(String object) implements Step {}

  /** Records on a volume whose data it may hold. */
  record MarkVolume(String volume) implements Step {}

  /** Records on a volume whether it is deleted with the cluster. */
  record OwnVolume(String volume) implements Step {}

  /** Saves the topology on a volume. */
  record SaveTopology(String volume) implements Step {}

  /** Requests a larger volume. */
  record ResizeVolume(String volume, long bytes) implements Step {}

  /** Asks an image that no pod has yet for its release. */
  record CheckImage(String image) implements Step {}

  /** Creates the StatefulSet. */
  record CreateStatefulSet(int replicas) implements Step {}

  /** Makes the cluster the owner of its StatefulSet again, which was deleted without that. */
  record OwnStatefulSet() implements Step {}

  /** Records what the API server has made of the template, to know it from later changes. */
  record SealStatefulSet() implements Step {}

  /**
   * Updates the template of the StatefulSet, which restarts no pod.
   *
   * @param putsBack whether this reverts a change by another client
   * @param rolledOut whether all pods have the old template, which is then kept as the fallback
   */
  record UpdateStatefulSet(boolean putsBack, boolean rolledOut) implements Step {}

  /**
   * Gives the StatefulSet its fallback as the template, which restarts no pod, and records why.
   *
   * @param failed hash of the spec whose update is rolled back
   * @param putsBack whether it was rolled back before, and this reverts a change by another client
   */
  record RollBack(String failed, String why, boolean putsBack) implements Step {}

  /**
   * Deletes the StatefulSet without its pods, to create it again with changes that an update cannot
   * make.
   */
  record RecreateStatefulSet() implements Step {}

  /**
   * Changes the number of pods of the StatefulSet.
   *
   * @param putsBack whether this reverts scaling by another client
   */
  record ScaleStatefulSet(int from, int to, boolean putsBack) implements Step {}

  /** Reads the backup that the cluster begins with. */
  record CheckBackup() implements Step {}

  /** Restores the backup that the topology orders. */
  record RestoreBackup(String id) implements Step {}

  /** Deletes a Job that looks for or restores a backup, so that it is created again. */
  record RemoveRestoreJob(String job) implements Step {}

  /** Creates the user that orders to restore come from. */
  record CreateRestoreUser() implements Step {}

  /** Deletes that user. */
  record RemoveRestoreUser() implements Step {}

  /** Withdraws the order to restore: the members serve clients. */
  record EndRestore(String id) implements Step {}

  /**
   * Creates the first topology.
   *
   * @param restore the backup that its members wait for
   */
  record BootstrapTopology(List<TopologyMember> members, Optional<FoundBackup> restore)
      implements Step {
    public BootstrapTopology {
      members = List.copyOf(members);
    }

    /** The id of that backup. */
    public Optional<String> order() {
      return restore.map(FoundBackup::id);
    }

    /** The features that are active from the beginning, since restored records may use them. */
    public List<String> features() {
      return restore.map(FoundBackup::features).orElse(List.of());
    }
  }

  /**
   * Creates a lost topology again.
   *
   * @param founded whether a member has been seen complete, so that data may exist
   * @param restore id of the backup that its members still wait for
   */
  record RestoreTopology(KvorumTopologySpec topology, boolean founded, Optional<String> restore)
      implements Step {}

  /**
   * Records on the topology whether it is deleted with the cluster, and its other annotations.
   *
   * @param founded whether a member has been seen complete, so that data may exist
   */
  record MarkTopology(boolean founded) implements Step {}

  /** Writes the next epoch to the topology. */
  record NextEpoch(EpochChange change) implements Step {}

  /**
   * Records that a task has started.
   *
   * @param replacedUid uid of what its member is to lose, if that is replaced
   */
  record StartTask(String task, Notice why, Optional<String> replacedUid) implements Step {}

  /** Records how a task has ended. */
  record EndTask(String task, boolean complete, Notice why) implements Step {}

  /**
   * Ends a pod, but not a successor of its name, so that it is created again from the new template.
   *
   * @param evict whether to evict it, which a disruption budget may reject, instead of deleting it
   */
  record RestartPod(String pod, String uid, boolean evict, String why) implements Step {}

  /** Deletes a volume claim, which goes once its pod has ended. */
  record RemoveVolume(String volume, String uid, String why) implements Step {}

  /** Marks a volume with the time, since its member has left; or removes that mark. */
  record MarkLeftVolume(String volume, boolean left) implements Step {}

  /** Deletes the volume claim of a member that left. */
  record RemoveLeftVolume(String volume, String uid) implements Step {}

  /** Waits: nothing can be done until the observed state changes. */
  record Wait(ClusterPhase phase, Reason reason, String message) implements Step {}

  /** Rejects the change, because it would do harm. */
  record Reject(Reason reason, String message) implements Step {}

  /** The observed state matches the desired state. */
  record Rest() implements Step {}
}
