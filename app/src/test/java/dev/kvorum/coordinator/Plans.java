package dev.kvorum.coordinator;

import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Plans for trackers, which identify replicas by number only. */
final class Plans {
  private Plans() {}

  /** All replicas in one set. */
  static ReplicaPlan one(int replicas) {
    return plan(replicas, List.of(numbers(replicas)));
  }

  /** Two sets of which one replica each is not in the other. */
  static ReplicaPlan two(int from, Random random) {
    List<Integer> all = WriteTrackerTest.shuffled(from + 1, random);
    return plan(from + 1, List.of(all.subList(0, from), all.subList(1, from + 1)));
  }

  private static ReplicaPlan plan(int replicas, List<List<Integer>> sets) {
    List<MemberId> members =
        IntStream.range(0, replicas).mapToObj(i -> new MemberId("n" + i)).toList();
    return new ReplicaPlan(1, members, sets);
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }
}
