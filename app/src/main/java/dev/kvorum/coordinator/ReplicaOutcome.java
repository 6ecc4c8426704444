package dev.kvorum.coordinator;

import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The outcome of one replica, as a label in the response to a request without a quorum.
 *
 * @param label such as {@code stored}, {@code superseded}, {@code absent}, {@code pending} or
 *     {@code not-asked}, or a reason of {@link dev.kvorum.data.RejectReason}
 */
public record ReplicaOutcome(MemberId replica, String label) {
  private static final Set<String> CONFIRMATIONS =
      Set.of("stored", "superseded", "found", "absent", "replied");

  /** Returns whether the replica did what it was asked for. */
  public boolean isConfirmation() {
    return CONFIRMATIONS.contains(label);
  }

  /** The outcomes of all replicas of a plan. */
  static List<ReplicaOutcome> all(ReplicaPlan plan, IntFunction<String> label) {
    List<ReplicaOutcome> all = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      all.add(new ReplicaOutcome(plan.replicas().get(i), label.apply(i)));
    }
    return all;
  }
}
