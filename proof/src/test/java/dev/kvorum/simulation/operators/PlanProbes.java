package dev.kvorum.simulation.operators;

import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records that no client accesses before two members have joined or left: all that is read then has
 * been copied by the changes.
 */
final class PlanProbes {
  private static final int SETS = 3;
  private static final int CHANGES = 2;

  private final PlannedOperator operator;
  private final Stage stage;
  private List<HotKey> probes = List.of();
  private Set<MemberId> writtenBy = Set.of();

  PlanProbes(PlannedOperator operator, Stage stage) {
    this.operator = operator;
    this.stage = stage;
  }

  /** To be called every now and then. */
  void poll() {
    Topology now = operator.topology();
    if (now.phase() != Phase.STABLE || !stage.isIdle()) {
      return;
    }
    Set<MemberId> members = now.members().stream().map(Member::id).collect(Collectors.toSet());
    List<SimNode> ready =
        stage.shuffled().stream()
            .filter(node -> members.contains(node.id) && node.isReady())
            .toList();
    if (ready.isEmpty()) {
      return;
    }
    if (probes.isEmpty()) {
      probes =
          Stream.generate(() -> stage.probes(true, key -> true))
              .limit(SETS)
              .flatMap(List::stream)
              .toList();
      writtenBy = members;
      stage.put(ready.getFirst(), probes);
    } else if (difference(members, writtenBy) >= CHANGES) {
      ready.forEach(node -> stage.read(node, probes));
      probes = List.of();
    }
  }

  private static int difference(Set<MemberId> some, Set<MemberId> others) {
    Set<MemberId> both = new HashSet<>(some);
    both.retainAll(others);
    return some.size() + others.size() - 2 * both.size();
  }
}
