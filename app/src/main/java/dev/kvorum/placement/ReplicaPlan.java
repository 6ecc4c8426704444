package dev.kvorum.placement;

import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The replicas that a request asks, and the sets of them each of which has to reach its quorum: one
 * set, or two while the members change. Replicas go by their numbers, from 0.
 *
 * @param epoch in which it was planned
 * @param replicas all of them, most preferred first
 * @param sets by set the numbers of its replicas, most preferred first
 */
public record ReplicaPlan(long epoch, List<MemberId> replicas, List<List<Integer>> sets) {
  /** A plan of one set. */
  static ReplicaPlan of(long epoch, List<MemberId> replicas) {
    List<Integer> all = new ArrayList<>(replicas.size());
    for (int i = 0; i < replicas.size(); i++) {
      all.add(i);
    }
    return new ReplicaPlan(epoch, replicas, List.of(List.copyOf(all)));
  }

  /** A plan of two sets, or of one where they are equal. */
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

  /** The same plan with its replicas in another order. */
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

  /** How many replicas there are. */
  public int size() {
    return replicas.size();
  }
}
