package dev.kvorum.placement;

import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The replicas of a request, in one or two sets, each of which needs its own quorum. There are two
 * sets during a membership change. Replicas are numbered from 0.
 *
 * @param epoch epoch in which the request was planned
 * @param replicas all replicas, most preferred first
 * @param sets for each set, the numbers of its replicas, most preferred first
 */
public record ReplicaPlan(long epoch, List<MemberId> replicas, List<List<Integer>> sets) {
  /** Creates a plan with one set. */
  static ReplicaPlan of(long epoch, List<MemberId> replicas) {
    List<Integer> all = new ArrayList<>(replicas.size());
    for (int i = 0; i < replicas.size(); i++) {
      all.add(i);
    }
    return new ReplicaPlan(epoch, replicas, List.of(List.copyOf(all)));
  }

  /** Creates a plan with two sets, or with one if they are equal. */
  static ReplicaPlan of(long epoch, List<MemberId> one, List<MemberId> other) {
    if (one.equals(other)) {
      return of(epoch, one);
    }
    List<MemberId> all = new ArrayList<>(one);
    other.stream().filter(member -> !one.contains(member)).forEach(all::add);
    List<List<Integer>> sets = new ArrayList<>();
    for (List<MemberId> set : List.of(one, other)) {
      sets.add(set.stream().map(all::indexOf).toList());
    }
    return new ReplicaPlan(epoch, List.copyOf(all), sets);
  }

  /** Returns the same plan with its replicas in another order. */
  public ReplicaPlan inOrder(MemberId[] order) {
    List<MemberId> ordered = Arrays.asList(order);
    if (sets.size() == 1) {
      return new ReplicaPlan(epoch, ordered, sets);
    }
    List<List<Integer>> moved =
        sets.stream()
            .map(set -> set.stream().map(i -> ordered.indexOf(replicas.get(i))).toList())
            .toList();
    return new ReplicaPlan(epoch, ordered, moved);
  }

  /** Number of replicas. */
  public int size() {
    return replicas.size();
  }
}
