package dev.kvorum.coordinator;

import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What one replica said, in a word, for the client of a request that found no quorum.
 *
 * @param word such as {@code stored}, {@code superseded}, {@code absent}, or a reason of {@link
 *     dev.kvorum.data.Refusal}, or {@code pending} or {@code not-asked}
 */
public record ReplicaAnswer(MemberId replica, String word) {
  /** Those of a whole plan. */
  static List<ReplicaAnswer> all(ReplicaPlan plan, IntFunction<String> word) {
    List<ReplicaAnswer> all = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      all.add(new ReplicaAnswer(plan.replicas().get(i), word.apply(i)));
    }
    return all;
  }
}
