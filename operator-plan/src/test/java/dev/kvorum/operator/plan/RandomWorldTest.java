package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.Release;
import dev.kvorum.operator.view.StatefulSetView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Edits, faults and the nodes' progress in any order: no step may ever do harm, and when it is
 * quiet again the cluster matches the spec. It plays the same seeds each time; {@code -Dseeds=n}
 * plays more, {@code -Dkvorum.seed=s} others.
 */
class RandomWorldTest {
  private static final int SEEDS = Integer.getInteger("seeds", 1000);
  private static final long FIRST = Long.getLong("kvorum.seed", 1);
  private static final int ACTIONS = 250;

  private final Deque<String> trace = new ArrayDeque<>();
  private World world = new World();
  private Harm harm = new Harm(world);
  private RandomGenerator random = generator(FIRST);

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
            "AnnounceMoving",
            "AnnounceRemoving",
            "BeginSettling",
            "MakeStable",
            "Cancel",
            "ActivateFeatures",
            "CheckImage",
            "RollBack",
            "RestartPod",
            "StartTask",
            "RemoveVolume",
            "EndTask",
            "MarkLeftVolume",
            "RemoveLeftVolume",
            "ResizeVolume",
            "RecreateStatefulSet",
            "RestoreTopology",
            "ScaleStatefulSet");
  }

  private static RandomGenerator generator(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  private void play(long seed, Map<String, Integer> taken) {
    random = generator(seed);
    world = new World();
    for (int image = 0; image < 3; image++) {
      Set<String> features = image == 0 ? Set.of() : Set.of("content-type");
      Release release = new Release(image + ".0.0", (3 + image) + ".." + (4 + image), features);
      world.images.answers.put("kvorum:" + image, new ImageCheck.Done(release));
    }
    world.image = "kvorum:" + random.nextInt(2);
    world.leftVolumes = seed % 2 == 0 ? DeletionPolicy.DELETE : DeletionPolicy.RETAIN;
    want(world.specHash);
    // Either each pod that is not ready has exceeded it, or none has.
    world.rollout.deadline(random.nextBoolean() ? "5m" : "1h");
    harm = new Harm(world);
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
      becomesWhatTheSpecAsksFor(taken);
      leavesNoVolumes(taken);
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

  /** Another spec, with the image that is wanted: the hash is of both. */
  private void want(String spec) {
    world.specHash = spec.substring(0, 1) + world.image.substring("kvorum:".length());
  }

  private void edit() {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> world.replicas = random.nextInt(2, 8);
      case 3, 4 -> want("abcd".substring(random.nextInt(4)));
      case 5 -> world.paused = !world.paused;
      case 6 -> world.sizeGib += random.nextInt(3);
      case 10 -> world.task = Optional.empty();
      case 11 ->
          world.activation =
              random.nextBoolean() ? FeatureActivation.HELD : FeatureActivation.AUTOMATIC;
      case 7 -> {
        world.image = "kvorum:" + random.nextInt(3);
        want(world.specHash);
      }
      case 8 ->
          world.deletionPolicy =
              random.nextBoolean() ? DeletionPolicy.DELETE : DeletionPolicy.RETAIN;
      default -> {
        world.badHashes.clear();
        world.badHashes.addAll(Set.of("d0", "d1", "d2"));
      }
    }
    note(
        "edit: "
            + world.replicas
            + " "
            + world.specHash
            + " paused "
            + world.paused
            + " "
            + world.image
            + " "
            + world.activation);
  }

  private void fault() {
    int ordinal = random.nextInt(8);
    WorldNode node = world.node(ordinal);
    int kind = random.nextInt(15);
    note("fault " + kind + " on " + ordinal);
    switch (kind) {
      case 0 -> world.end(node);
      case 1 -> node.dead = !node.dead;
      case 2 -> {
        if (world.topology.isEmpty()) {
          return;
        }
        world.end(node);
        node.empty();
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
      case 10 -> {
        node.dead = true;
        world.task = Optional.of(WorldTasks.task(TaskAction.REMOVE, ordinal));
      }
      case 7 -> world.objectsMissing = true;
      case 11 -> world.task = Optional.of(WorldTasks.task(TaskAction.RESTART, ordinal));
      case 12 -> world.task = Optional.of(WorldTasks.task(TaskAction.REPLACE, ordinal));
      case 9 -> {
        String zone = random.nextInt(8) == 0 ? "" : "zone-" + random.nextInt(4);
        node.place = new Place("machine-" + random.nextInt(8), zone);
      }
      case 8 -> {
        if (world.hasCopy()) {
          world.loseTopology(random.nextBoolean() && world.isSaved());
        }
      }
      case 13 -> world.rollout.template = StatefulSetView.Template.CHANGED;
      default -> node.ready = false;
    }
  }

  private void step(Map<String, Integer> taken) {
    Step step = ClusterPlanner.plan(world.observe()).step();
    note(step);
    harm.check(step);
    world.apply(step);
    world.now = world.now.plus(Duration.ofHours(1));
    Object kind = step instanceof Step.NextEpoch next ? next.change() : step;
    taken.merge(kind.getClass().getSimpleName(), 1, Integer::sum);
  }

  /** Volumes go a day later, and members' stay. */
  private void leavesNoVolumes(Map<String, Integer> taken) {
    world.now = world.now.plus(Duration.ofDays(2));
    while (!(ClusterPlanner.plan(world.observe()).step() instanceof Step.Rest)) {
      step(taken);
    }
    assertThat(
            world.leftVolumes == DeletionPolicy.RETAIN
                ? List.of()
                : LeftVolumePlanner.left(world.observe()))
        .as("volumes of members that left")
        .isEmpty();
    assertThat(world.members()).hasSize(world.replicas);
  }

  private void becomesWhatTheSpecAsksFor(Map<String, Integer> taken) {
    world.paused = false;
    world.replicas = Math.max(world.replicas, world.replication);
    world.badHashes.clear();
    // The one in between works with the others.
    world.image = "kvorum:1";
    want("e");
    world.activation = FeatureActivation.AUTOMATIC;
    world.rollout.deadline("1h");
    world.lossAccepted = true;
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
      world.converge();
      if (ClusterPlanner.plan(world.observe()).step() instanceof Step.Rest) {
        break;
      }
      step(taken);
    }
    Plan end = ClusterPlanner.plan(world.observe());
    assertThat(end).as("at rest").isEqualTo(new Plan(new Step.Rest(), List.of()));
    assertThat(world.members()).hasSize(world.replicas);
    assertThat(world.setReplicas.getAsInt()).isEqualTo(world.replicas);
    assertThat(VolumePlanner.onDeletion(world.observe())).isEqualTo(world.deletionPolicy);
    assertThat(world.topology.orElseThrow().features()).containsExactly("content-type");
    for (TopologyMember member : world.members()) {
      assertThat(world.node(member).owned).isEqualTo(world.deletionPolicy == DeletionPolicy.DELETE);
      assertThat(world.node(member).hash).isEqualTo(world.specHash);
      assertThat(world.node(member).volumeGib).isGreaterThanOrEqualTo(world.sizeGib);
      String zone = world.node(member).place.zone();
      assertThat(member.zone()).isEqualTo(zone.isEmpty() ? member.zone() : zone);
    }
  }
}
