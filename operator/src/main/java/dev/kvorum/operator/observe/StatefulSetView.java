package dev.kvorum.operator.observe;

import java.util.OptionalInt;

/**
 * The StatefulSet as it is.
 *
 * @param replicas how many pods it keeps
 * @param replicasSet how many the operator set last; differs where another client scaled it
 * @param specHash of what its template was made from
 * @param image what its template is made with, as the operator wrote it; an empty text where it did
 *     not
 * @param volumeBytes the size in its volume template
 * @param deleting whether it is on its way out
 */
public record StatefulSetView(
    int replicas,
    OptionalInt replicasSet,
    String specHash,
    String image,
    long volumeBytes,
    boolean deleting) {
  /** Whether another client has set the number of pods. */
  public boolean scaledByHand() {
    return replicasSet.isPresent() && replicasSet.getAsInt() != replicas;
  }
}
