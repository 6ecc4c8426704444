package dev.kvorum.operator.report;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.plan.EpochChange;
import dev.kvorum.operator.plan.ScalePlanner;
import dev.kvorum.operator.plan.Step;

/** Describes steps for users, as reason, message and phase of the cluster. */
public final class StepMessages {
  private static final Notice TEMPLATE_PUT_BACK =
      new Notice(
          Reason.PUT_BACK,
          "reverts the template of the StatefulSet, which was changed by hand; change the"
              + " KvorumCluster instead");

  private StepMessages() {}

  /** Returns the reason and the message of a step. */
  public static Notice of(Step step) {
    return switch (step) {
      case Step.Identify _ -> new Notice(Reason.CREATING_OBJECTS, "assigns the cluster id");
      case Step.PutObject put -> new Notice(Reason.CREATING_OBJECTS, "writes " + put.object());
      case Step.MarkVolume mark ->
          new Notice(Reason.CREATING_OBJECTS, "marks volume " + mark.volume());
      case Step.OwnVolume own ->
          new Notice(
              Reason.CREATING_OBJECTS,
              "marks on volume " + own.volume() + " whether it is deleted with the cluster");
      case Step.MarkTopology _ -> new Notice(Reason.CREATING_OBJECTS, "marks the topology");
      case Step.SaveTopology save ->
          new Notice(Reason.CREATING_OBJECTS, "saves the topology on volume " + save.volume());
      case Step.RestoreTopology restore ->
          new Notice(
              Reason.TOPOLOGY_RESTORED,
              "restores the lost topology from the copies of the nodes (epoch "
                  + restore.topology().epoch()
                  + ")");
      case Step.ResizeVolume resize ->
          new Notice(Reason.RESIZING_VOLUME, "changes the size of volume " + resize.volume());
      case Step.CheckImage check ->
          new Notice(Reason.CHECKING_IMAGE, "asks image " + check.image() + " for its release");
      case Step.CreateStatefulSet create ->
          new Notice(
              Reason.CREATING_OBJECTS,
              "creates the StatefulSet with " + create.replicas() + " pods");
      case Step.OwnStatefulSet _ ->
          new Notice(
              Reason.CREATING_OBJECTS,
              "becomes the owner of the StatefulSet, which a deletion has left without one");
      case Step.SealStatefulSet _ ->
          new Notice(Reason.CREATING_OBJECTS, "marks the template of the StatefulSet");
      case Step.UpdateStatefulSet update ->
          update.putsBack()
              ? TEMPLATE_PUT_BACK
              : new Notice(
                  Reason.UPDATING, "updates the StatefulSet to the template of the new spec");
      case Step.RollBack back ->
          back.putsBack()
              ? TEMPLATE_PUT_BACK
              : new Notice(
                  Reason.ROLLED_BACK,
                  "gives the StatefulSet its former template back, because a pod with the new one"
                      + " is not ready: "
                      + back.why());
      case Step.RecreateStatefulSet _ ->
          new Notice(
              Reason.RESIZING_VOLUME,
              "recreates the StatefulSet for the new volume size; its pods keep running");
      case Step.ScaleStatefulSet scale -> scale(scale);
      case Step.CheckBackup _ ->
          new Notice(Reason.CHECKING_BACKUP, "looks for the backup that it begins with");
      case Step.RestoreBackup restore ->
          new Notice(Reason.RESTORING, "restores backup " + restore.id());
      case Step.RemoveRestoreJob remove ->
          new Notice(Reason.RESTORING, "repeats Job " + remove.job());
      case Step.CreateRestoreUser _ ->
          new Notice(Reason.RESTORING, "creates the user that orders to restore come from");
      case Step.RemoveRestoreUser _ ->
          new Notice(Reason.RESTORING, "deletes the user that orders to restore came from");
      case Step.EndRestore end ->
          new Notice(Reason.RESTORED, "backup " + end.id() + " is restored");
      case Step.BootstrapTopology found ->
          new Notice(
              Reason.FOUNDING,
              "bootstraps the cluster with " + found.members().size() + " members");
      case Step.NextEpoch next -> change(next.change());
      case Step.StartTask start -> start.why();
      case Step.EndTask end ->
          new Notice(
              end.why().reason(),
              "task "
                  + end.task()
                  + (end.complete() ? " is complete: " : " has failed: ")
                  + end.why().message());
      case Step.RemoveVolume remove ->
          new Notice(Reason.REPLACING_VOLUME, "deletes " + remove.volume() + ": " + remove.why());
      case Step.MarkLeftVolume mark ->
          new Notice(
              Reason.LEFT_VOLUME,
              mark.volume()
                  + (mark.left()
                      ? " is left by its member: it is deleted after storage.leftAfter"
                      : " is not deleted: its member comes back, or storage.leftVolumes says so"));
      case Step.RemoveLeftVolume remove ->
          new Notice(
              Reason.LEFT_VOLUME,
              "deletes " + remove.volume() + ", which its member left storage.leftAfter ago");
      case Step.RestartPod restart ->
          new Notice(Reason.RESTARTING_POD, "restarts " + restart.pod() + ": " + restart.why());
      case Step.Wait wait -> new Notice(wait.reason(), wait.message());
      case Step.Reject reject -> new Notice(reject.reason(), reject.message());
      case Step.Rest _ -> new Notice(Reason.AS_ASKED_FOR, "the cluster matches its spec");
    };
  }

  private static Notice scale(Step.ScaleStatefulSet scale) {
    String what = "from " + scale.from() + " to " + scale.to() + " pods";
    return scale.putsBack()
        ? new Notice(
            Reason.PUT_BACK,
            "reverts the StatefulSet, which was scaled by hand, "
                + what
                + "; scale the KvorumCluster instead")
        : new Notice(Reason.SCALING_STATEFUL_SET, "scales the StatefulSet " + what);
  }

  private static Notice change(EpochChange change) {
    String at = " (epoch " + change.next().epoch() + ")";
    return switch (change) {
      case EpochChange.AnnounceJoining joining ->
          new Notice(Reason.JOINING, "starts to add " + joining.member() + at);
      case EpochChange.AnnounceLeaving leaving ->
          new Notice(Reason.LEAVING, "starts to remove " + leaving.member() + at);
      case EpochChange.AnnounceRemoving removing ->
          new Notice(
              Reason.REMOVING, "starts to remove " + removing.member() + ", which is lost" + at);
      case EpochChange.AnnounceMoving moving ->
          new Notice(
              Reason.MOVING,
              "starts to place " + moving.member() + " by the zone of its machine" + at);
      case EpochChange.BeginSettling settling ->
          new Notice(
              Reason.SETTLING,
              "settles the change of " + settling.member() + ": all records are streamed" + at);
      case EpochChange.MakeStable stable ->
          new Notice(Reason.MEMBERS_CHANGED, "completes the change of " + stable.member() + at);
      case EpochChange.Cancel off ->
          new Notice(Reason.CANCELLED, "cancels the change of " + off.member() + at);
      case EpochChange.ActivateFeatures features ->
          new Notice(
              Reason.FEATURES_ACTIVATED,
              "activates "
                  + String.join(", ", features.features())
                  + " for good: releases without this are rejected from now on"
                  + at);
    };
  }

  /** Returns the phase of a cluster whose next step is this one. */
  static ClusterPhase phase(Step step, boolean founded, boolean rejected) {
    return switch (step) {
      case Step.Identify _,
          Step.PutObject _,
          Step.MarkVolume _,
          Step.OwnVolume _,
          Step.MarkTopology _,
          Step.SaveTopology _,
          Step.MarkLeftVolume _,
          Step.RemoveLeftVolume _,
          Step.RestoreTopology _,
          Step.CreateStatefulSet _,
          Step.OwnStatefulSet _,
          Step.SealStatefulSet _,
          Step.CheckBackup _,
          Step.BootstrapTopology _ ->
          founded ? ClusterPhase.UPDATING : ClusterPhase.CREATING;
      case Step.RestoreBackup _,
          Step.CreateRestoreUser _,
          Step.RemoveRestoreUser _,
          Step.EndRestore _ ->
          ClusterPhase.RESTORING;
      case Step.RemoveRestoreJob _ -> founded ? ClusterPhase.RESTORING : ClusterPhase.CREATING;
      case Step.ResizeVolume _, Step.RecreateStatefulSet _ -> ClusterPhase.RESIZING;
      case Step.CheckImage _,
          Step.UpdateStatefulSet _,
          Step.RollBack _,
          Step.RemoveVolume _,
          Step.RestartPod _ ->
          ClusterPhase.UPDATING;
      case Step.ScaleStatefulSet scale -> {
        if (!founded) {
          yield ClusterPhase.CREATING;
        }
        yield scale.to() > scale.from() ? ClusterPhase.SCALING_OUT : ClusterPhase.SCALING_IN;
      }
      case Step.StartTask start -> phase(start.why());
      case Step.EndTask end -> phase(end.why());
      case Step.NextEpoch next -> phase(next.change());
      case Step.Wait wait -> wait.phase();
      case Step.Reject _ -> ClusterPhase.REJECTED;
      case Step.Rest _ -> rejected ? ClusterPhase.REJECTED : ClusterPhase.READY;
    };
  }

  /** The phase of a cluster in which a task starts or ends. */
  private static ClusterPhase phase(Notice ofTask) {
    return switch (ofTask.reason()) {
      case RESTARTING_POD, RESTARTED, REPLACING_VOLUME, REPLACED -> ClusterPhase.UPDATING;
      default -> ClusterPhase.REMOVING;
    };
  }

  private static ClusterPhase phase(EpochChange change) {
    return switch (change) {
      case EpochChange.AnnounceJoining _ -> ClusterPhase.SCALING_OUT;
      case EpochChange.AnnounceLeaving _ -> ClusterPhase.SCALING_IN;
      case EpochChange.Cancel _ -> ClusterPhase.CANCELLING;
      case EpochChange.AnnounceRemoving _ -> ClusterPhase.REMOVING;
      case EpochChange.AnnounceMoving _ -> ClusterPhase.MOVING;
      case EpochChange.BeginSettling settling -> ScalePlanner.phase(settling.does());
      case EpochChange.MakeStable stable -> ScalePlanner.phase(stable.did());
      case EpochChange.ActivateFeatures _ -> ClusterPhase.UPDATING;
    };
  }
}
