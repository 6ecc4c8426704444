package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import java.util.List;

/**
 * The one thing to do next. Every kind but {@link Wait}, {@link Refuse} and {@link Rest} is one
 * write to the API that may be repeated or lost without harm.
 */
public sealed interface Step {
  /** Write down which cluster this is; an empty id: a new one. */
  record Identify(String clusterId) implements Step {}

  /** Make, or put right, one of the objects beside the StatefulSet. */
  record PutObject(String object) implements Step {}

  /** Write on a volume whose data it may hold. */
  record MarkVolume(String volume) implements Step {}

  /** Write on a volume whether it goes with the cluster. */
  record OwnVolume(String volume) implements Step {}

  /** Ask for a larger volume. */
  record ResizeVolume(String volume, long bytes) implements Step {}

  /** Make the StatefulSet. */
  record CreateStatefulSet(int replicas) implements Step {}

  /** Give the StatefulSet a new template; no pod restarts by that. */
  record UpdateStatefulSet() implements Step {}

  /**
   * Remove the StatefulSet without its pods, to make it again with what cannot be changed in it.
   */
  record RecreateStatefulSet() implements Step {}

  /** Let the StatefulSet keep more pods, or fewer. */
  record ScaleStatefulSet(int from, int to, boolean putsBack) implements Step {}

  /** Write the first topology. */
  record BootstrapTopology(List<TopologyMember> members) implements Step {
    public BootstrapTopology {
      members = List.copyOf(members);
    }
  }

  /**
   * Write whether the topology is deleted with the cluster, and its other annotations.
   *
   * @param founded whether a member has been seen complete, so that data may be there
   */
  record MarkTopology(boolean founded) implements Step {}

  /** Write the next epoch. */
  record NextEpoch(EpochChange change) implements Step {}

  /** Delete a pod, that one and not its successor, so that it comes back from the new template. */
  record RestartPod(String pod, String uid, String why) implements Step {}

  /** Nothing can be done until something else has happened. */
  record Wait(ClusterPhase phase, Reason reason, String message) implements Step {}

  /** What is asked for would do harm. */
  record Refuse(Reason reason, String message) implements Step {}

  /** All is as it should be. */
  record Rest() implements Step {}
}
