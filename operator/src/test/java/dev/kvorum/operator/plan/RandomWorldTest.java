package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Edits, faults and the nodes' progress in any order: no step may ever do harm, and when it is
 * quiet again the cluster becomes what the spec says. {@code -Dseeds=n} plays more, {@code
 * -Dfirst=s} from another one.
 */
class RandomWorldTest {
  private static final int SEEDS = Integer.getInteger("seeds", 1000);
  private static final long FIRST = Long.getLong("first", 1);
  private static final int ACTIONS = 250;

  private final Map<String, String> zones = new HashMap<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private World world = new World();
  private RandomGenerator random = RandomGenerator.getDefault();

  @Test
  void noOrderOfEventsMakesTheOperatorDoHarmOrStop() {
    Map<String, Integer> taken = new HashMap<>();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      play(seed, taken);
    }
    assertThat(taken)
        .containsKeys(
            "AnnounceJoining",
            "AnnounceLeaving",
            "BeginSettling",
            "MakeStable",
            "CallOff",
            "RestartPod",
            "ResizeVolume",
            "RecreateStatefulSet",
            "ScaleStatefulSet");
  }

  private void play(long seed, Map<String, Integer> taken) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    world = new World();
    zones.clear();
    trace.clear();
    try {
      for (int action = 0; action < ACTIONS; action++) {
        if (random.nextInt(3) == 0) {
          step(taken);
        } else if (random.nextInt(12) == 0) {
          edit();
        } else if (random.nextInt(12) == 0) {
          fault();
        } else {
          int ordinal = random.nextInt(9);
          world.control(ordinal);
          world.progress(world.node(ordinal));
        }
      }
      becomesWhatTheSpecSays(taken);
    } catch (AssertionError | RuntimeException found) {
      throw new AssertionError("seed " + seed + ": " + String.join("\n", trace), found);
    }
  }

  private void note(Object what) {
    trace.add(what.toString());
    if (trace.size() > 60) {
      trace.removeFirst();
    }
  }

  private void edit() {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> world.replicas = random.nextInt(2, 8);
      case 3, 4 -> world.specHash = "abcd".substring(random.nextInt(4)).substring(0, 1);
      case 5 -> world.paused = !world.paused;
      case 6 -> world.sizeGib += random.nextInt(3);
      default -> {
        world.badHashes.clear();
        world.badHashes.add("d");
      }
    }
    note("edit: " + world.replicas + " " + world.specHash + " paused " + world.paused);
  }

  private void fault() {
    int ordinal = random.nextInt(8);
    World.Node node = world.node(ordinal);
    int kind = random.nextInt(9);
    note("fault " + kind + " on " + ordinal);
    switch (kind) {
      case 0 -> world.end(node);
      case 1 -> node.dead = !node.dead;
      case 2 -> {
        world.end(node);
        node.rebuilding = true;
        node.transferred = 0;
        node.epochSeen = 0;
        node.mark = java.util.Optional.empty();
      }
      case 3 -> node.silent = !node.silent;
      case 4 -> node.hintsFor = 5;
      case 5 -> node.unconnected = !node.unconnected;
      case 6 -> {
        if (world.setReplicas.isPresent()) {
          world.setReplicas =
              java.util.OptionalInt.of(random.nextInt(0, world.setReplicas.getAsInt() + 3));
        }
      }
      case 7 -> world.objectsMissing = true;
      default -> node.ready = false;
    }
  }

  private void step(Map<String, Integer> taken) {
    Step step = ClusterPlanner.plan(world.observe()).step();
    note(step);
    check(step);
    world.apply(step);
    Object kind = step instanceof Step.NextEpoch next ? next.change() : step;
    taken.merge(kind.getClass().getSimpleName(), 1, Integer::sum);
  }

  private void check(Step step) {
    boolean acts =
        !(step instanceof Step.Wait || step instanceof Step.Refuse || step instanceof Step.Rest);
    assertThat(acts && world.paused).as("acts while paused").isFalse();
    switch (step) {
      case Step.NextEpoch next -> checkChange(world.topology.orElseThrow(), next.change());
      case Step.ScaleStatefulSet scale -> checkPods(scale.from(), scale.to());
      case Step.CreateStatefulSet create -> {
        int there =
            world.nodes.entrySet().stream()
                .filter(entry -> entry.getValue().there)
                .mapToInt(entry -> entry.getKey() + 1)
                .max()
                .orElse(0);
        checkPods(there, create.replicas());
      }
      case Step.RestartPod restart -> checkRestart(restart);
      case Step.Found found -> {
        assertThat(world.topology).isEmpty();
        assertThat(found.members()).hasSizeGreaterThanOrEqualTo(world.replication);
      }
      case Step.Identify _ -> assertThat(world.clusterId).isEmpty();
      case Step.PutObject _,
          Step.MarkVolume _,
          Step.ResizeVolume _,
          Step.UpdateStatefulSet _,
          Step.RecreateStatefulSet _,
          Step.MarkTopology _,
          Step.Wait _,
          Step.Refuse _,
          Step.Rest _ -> {}
    }
  }

  private void checkChange(KvorumTopologySpec now, EpochChange change) {
    KvorumTopologySpec next = change.next();
    assertThat(next.epoch()).isEqualTo(now.epoch() + 1);
    assertThat(next.clusterId()).isEqualTo(now.clusterId());
    long changing = next.members().stream().filter(it -> it.state() != MemberState.ACTIVE).count();
    assertThat(changing)
        .as("changes at once")
        .isEqualTo(next.phase() == TopologyPhase.STABLE ? 0 : 1);
    assertThat(next.members().stream().filter(it -> it.state() == MemberState.ACTIVE))
        .as("members that stay")
        .hasSizeGreaterThanOrEqualTo(world.replication);
    for (TopologyMember member : next.members()) {
      assertThat(zones.putIfAbsent(member.name(), member.zone()))
          .as("zone of %s", member.name())
          .isIn(null, member.zone());
    }
    switch (change) {
      case EpochChange.AnnounceJoining _, EpochChange.AnnounceLeaving _ -> {
        assertThat(now.phase()).isEqualTo(TopologyPhase.STABLE);
        allSeen(now);
        for (TopologyMember member : now.members()) {
          World.Node node = world.node(member);
          assertThat(node.cleared).as("%s cleared", member).isEqualTo(now.epoch());
          assertThat(node.there && node.ready && !node.dead && !node.rebuilding)
              .as("%s is well", member)
              .isTrue();
        }
      }
      case EpochChange.BeginSettling _, EpochChange.MakeStable _ -> {
        assertThat(now.phase()).isNotEqualTo(TopologyPhase.STABLE);
        allSeen(now);
        for (TopologyMember member : now.members()) {
          assertThat(world.node(member).transferred).as("%s copied", member).isEqualTo(now.epoch());
        }
      }
      case EpochChange.CallOff _ -> {
        assertThat(now.phase()).isNotEqualTo(TopologyPhase.STABLE);
        assertThat(next.members().stream().map(TopologyMember::name))
            .as("the old set")
            .containsExactlyElementsOf(
                now.members().stream()
                    .filter(it -> it.state() != MemberState.JOINING)
                    .map(TopologyMember::name)
                    .toList());
      }
    }
  }

  private void allSeen(KvorumTopologySpec now) {
    for (TopologyMember member : now.members()) {
      assertThat(world.node(member).epochSeen).as("%s has seen", member).isEqualTo(now.epoch());
    }
  }

  private void checkPods(int from, int to) {
    for (TopologyMember member : world.members()) {
      assertThat(World.ordinal(member.name())).as("pods of members stay").isLessThan(to);
    }
    if (to < from && world.topology.isPresent()) {
      assertThat(world.topology.get().phase()).isEqualTo(TopologyPhase.STABLE);
      allSeen(world.topology.get());
    }
  }

  private void checkRestart(Step.RestartPod restart) {
    World.Node pod = world.node(World.ordinal(restart.pod()));
    assertThat(pod.uid).isEqualTo(restart.uid());
    assertThat(pod.hash).as("is outdated").isNotEqualTo(world.setHash);
    boolean member = world.members().stream().anyMatch(it -> world.node(it) == pod);
    if (!member || !pod.ready || pod.dead) {
      return;
    }
    assertThat(world.topology.orElseThrow().phase()).isEqualTo(TopologyPhase.STABLE);
    for (TopologyMember other : world.members()) {
      World.Node node = world.node(other);
      assertThat(node.there && node.ready && !node.dead && !node.rebuilding)
          .as("%s is well while %s restarts", other.name(), restart.pod())
          .isTrue();
      assertThat(node.hintsFor).as("hints for %s", other.name()).isZero();
    }
  }

  private void becomesWhatTheSpecSays(Map<String, Integer> taken) {
    world.paused = false;
    world.replicas = Math.max(world.replicas, world.replication);
    world.badHashes.clear();
    world
        .nodes
        .values()
        .forEach(node -> {
          node.dead = false;
          node.silent = false;
          node.unconnected = false;
          node.hintsFor = 0;
        });
    note("quiet");
    for (int taking = 0; taking < 300; taking++) {
      world.settle();
      if (ClusterPlanner.plan(world.observe()).step() instanceof Step.Rest) {
        break;
      }
      step(taken);
    }
    Plan end = ClusterPlanner.plan(world.observe());
    assertThat(end).as("at rest").isEqualTo(new Plan(new Step.Rest(), List.of()));
    assertThat(world.members()).hasSize(world.replicas);
    assertThat(world.setReplicas.getAsInt()).isEqualTo(world.replicas);
    for (TopologyMember member : world.members()) {
      assertThat(world.node(member).hash).isEqualTo(world.specHash);
      assertThat(world.node(member).volumeGib).isGreaterThanOrEqualTo(world.sizeGib);
    }
  }
}
