package dev.kvorum.operator.view;

import java.util.OptionalInt;

/**
 * The observed state of the StatefulSet.
 *
 * @param replicas its number of pods
 * @param replicasSet the number that the operator set last; differs if another client scaled it
 * @param specHash hash of the spec that its template was created from
 * @param image the image that the operator set in its template; an empty text if it set none
 * @param volumeBytes the size in its volume template
 * @param orphaned whether it has no owner, although it is of this cluster
 * @param template whether its template is still the one that the operator made
 * @param rollout what it records about its last update
 * @param deleting whether it is being deleted
 */
public record StatefulSetView(
    int replicas,
    OptionalInt replicasSet,
    String specHash,
    String image,
    long volumeBytes,
    boolean orphaned,
    Template template,
    RolloutView rollout,
    boolean deleting) {
  /** What became of a template that the operator made. */
  public enum Template {
    /** It has not been looked at since it was written. */
    UNKNOWN,
    KEPT,
    /** Another client has changed it. */
    CHANGED
  }

  /** Whether another client has set the number of pods. */
  public boolean scaledByHand() {
    return replicasSet.isPresent() && replicasSet.getAsInt() != replicas;
  }
}
