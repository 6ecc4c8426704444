package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a cluster of so many members costs the operator: the time of planning a step, and the bytes
 * of what the API server stores ({@code docs/capacity.md}).
 */
final class PlanBenchmark {
  private static final int ROUNDS = 200;
  private static final double MILLIS_MAX = 2000;

  private PlanBenchmark() {}

  /**
   * Measures; the best of some rounds counts.
   *
   * @param arguments numbers of members, at least 3
   */
  public static void main(String[] arguments) {
    System.out.println("| members | next step | planned in ms | topology bytes | status bytes |");
    System.out.println("|--:|---|--:|--:|--:|");
    for (String argument : arguments) {
      int members = Integer.parseInt(argument);
      World world = world(members);
      measure(world);
      world.replicas = members - 1;
      measure(world);
      world.replicas = members;
      join(world);
      measure(world);
    }
  }

  /** A cluster at rest, its further members made like the first one. */
  private static World world(int members) {
    World world = new World();
    world.run();
    WorldNode first = world.node(0);
    List<TopologyMember> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      WorldNode node = world.node(i);
      String zone = "eu-central-1" + "abc".charAt(i % 3);
      all.add(new TopologyMember("kvorum-" + i, zone, MemberState.ACTIVE));
      node.place = new Place("machine-" + i, zone);
      node.uid = "uid-" + i;
      node.hash = first.hash;
      node.image = first.image;
      node.mark = first.mark;
      node.volumeGib = first.volumeGib;
      node.active.addAll(first.active);
      node.there = true;
      node.started = true;
    }
    world.replicas = members;
    world.replicasSaid = members;
    world.setReplicas = OptionalInt.of(members);
    KvorumTopologySpec now = world.topology.orElseThrow();
    apply(world, now.next(TopologyPhase.STABLE, all));
    return world;
  }

  /** The last member joins, and all have received that. */
  private static void join(World world) {
    KvorumTopologySpec now = world.topology.orElseThrow();
    List<TopologyMember> all = new ArrayList<>(now.members());
    all.add(all.removeLast().as(MemberState.JOINING));
    apply(world, now.next(TopologyPhase.TRANSFERRING, all));
  }

  private static void apply(World world, KvorumTopologySpec topology) {
    world.topology = Optional.of(topology);
    world.statusEpoch = topology.epoch();
    for (TopologyMember member : topology.members()) {
      WorldNode node = world.node(member);
      world.see(node);
      node.cleanedUp = topology.epoch();
      node.transferred = topology.epoch() - 1;
      node.ready = true;
      node.savedTopology = world.topology;
    }
  }

  private static void measure(World world) {
    Observed observed = world.observe();
    double best = Double.MAX_VALUE;
    double all = 0;
    Step step = new Step.Rest();
    for (int round = 0; round < ROUNDS && all < MILLIS_MAX; round++) {
      long begun = System.nanoTime();
      step = ClusterPlanner.plan(observed).step();
      double took = (System.nanoTime() - begun) / 1e6;
      best = Math.min(best, took);
      all += took;
    }
    System.out.printf(
        "| %d | %s | %.2f | %d | %d |%n",
        world.members().size(),
        step instanceof Step.NextEpoch next
            ? next.change().getClass().getSimpleName()
            : step.getClass().getSimpleName(),
        best,
        bytes(world.topology.orElseThrow()),
        bytes(observed.memberStates()));
  }

  private static int bytes(Object stored) {
    return Serialization.asJson(stored).getBytes(StandardCharsets.UTF_8).length;
  }
}
