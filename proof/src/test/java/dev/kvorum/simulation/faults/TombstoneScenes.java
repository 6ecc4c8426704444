package dev.kvorum.simulation.faults;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.clients.Script;
import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.run.Profile.HotKey;
import java.util.List;

/**
 * Tombstones and members that are away for nearly as long as they may, or for longer (ADR 0009).
 */
final class TombstoneScenes {
  private static final long REMOVAL_MAX_MILLIS = 25_000;

  private final Stage stage;

  TombstoneScenes(Stage stage) {
    this.stage = stage;
  }

  /** One of the scenes. */
  void add(Script script) {
    script.until(this::areNoTombstones, REMOVAL_MAX_MILLIS);
    List<SimNode> nodes = stage.shuffled();
    if (nodes.size() > 3) {
      twoAway(script, nodes);
    } else {
      switch (stage.random.nextInt(4)) {
        case 0, 1 -> lateTombstone(script, nodes);
        case 2 -> missedPurge(script, nodes);
        default -> lostDisk(script, nodes);
      }
    }
  }

  private boolean areNoTombstones() {
    return stage.cluster.nodes().stream()
        .flatMap(node -> node.disk.written().records.values().stream())
        .noneMatch(Versioned::tombstone);
  }

  /**
   * A tombstone is on one member that was away. Both others compare themselves at a cut above it
   * before one of them gets it, from a member that the third cannot reach.
   */
  private void lateTombstone(Script script, List<SimNode> nodes) {
    List<SimNode> byName = stage.cluster.nodes();
    // Of two, the one whose name comes first pulls first.
    SimNode away = stage.random.nextInt(4) > 0 ? byName.getFirst() : nodes.get(0);
    List<SimNode> others = nodes.stream().filter(node -> node != away).toList();
    SimNode remover = others.get(0);
    SimNode third = others.get(1);
    List<HotKey> probes = stage.probes(true, key -> true);
    script
        .then(() -> stage.fill(remover, probes))
        .until(stage::isIdle, 2000)
        .pause(300)
        .then(() -> stage.part(away, remover, third))
        .pause(20)
        .then(() -> stage.delete(away, probes))
        .pause(5800 + stage.random.nextLong(800))
        .then(() -> stage.unite(away, remover))
        .until(() -> probes.stream().anyMatch(probe -> Stage.isTombstone(remover, probe)), 15_000)
        .pause(40)
        .then(() -> {
          stage.cut(remover, third);
          stage.read(remover, probes);
        })
        .pause(60)
        .then(() -> stage.uncut(remover, third))
        .until(
            () -> probes.stream().anyMatch(probe -> Stage.held(remover, probe) == null),
            REMOVAL_MAX_MILLIS)
        .then(() -> {
          stage.part(away, remover);
          stage.read(remover, probes);
          stage.read(third, probes);
        })
        .pauseUntil(stage::isIdle, 2000);
  }

  /** A member is away until the others have removed tombstones, and holds what these deleted. */
  private void missedPurge(Script script, List<SimNode> nodes) {
    SimNode away = nodes.get(0);
    SimNode other = nodes.get(1);
    SimNode third = nodes.get(2);
    boolean ends = stage.random.nextBoolean();
    List<HotKey> probes = stage.probes(true, key -> true);
    script
        .then(() -> stage.fill(other, probes))
        .until(stage::isIdle, 2000)
        .pause(300)
        .then(() -> {
          if (ends) {
            stage.cluster.crash(away, false);
          } else {
            stage.part(away, other, third);
          }
        })
        .pause(20)
        .then(() -> stage.delete(other, probes))
        .until(
            () ->
                probes.stream()
                    .allMatch(probe ->
                        Stage.held(other, probe) == null && Stage.held(third, probe) == null),
            REMOVAL_MAX_MILLIS)
        .then(() -> {
          away.start();
          stage.unite(away, other, third);
        })
        .until(stage::isComplete, 15_000)
        .pause(2500)
        .then(() -> {
          stage.read(away, probes);
          stage.read(other, probes);
        })
        .pauseUntil(stage::isIdle, 2000)
        .pause(4000)
        .then(() -> stage.read(third, probes))
        .pauseUntil(stage::isIdle, 2000);
  }

  /**
   * Two members acknowledge writes that the third one does not receive. One of them is away for
   * longer than it may, the other one loses its disk: the third one must not remove tombstones
   * then, since the one that is away would have to reset its store.
   */
  private void lostDisk(Script script, List<SimNode> nodes) {
    SimNode away = nodes.get(0);
    SimNode emptied = nodes.get(1);
    SimNode third = nodes.get(2);
    List<HotKey> deleted = stage.probes(true, key -> true);
    List<HotKey> written = stage.probes(true, key -> true);
    script
        .then(() -> stage.fill(third, deleted))
        .until(stage::isIdle, 2000)
        .pause(300)
        .then(() -> stage.delete(third, deleted))
        // Not long enough for the one that is away to have compared the tombstones.
        .pause(6800 + stage.random.nextLong(600))
        .then(() -> stage.part(third, away))
        .pause(4000 + stage.random.nextLong(1000))
        .then(() -> {
          stage.part(third, emptied);
          // Its hints are lost with it.
          stage.put(emptied, written);
        })
        .until(stage::isIdle, 2000)
        .pause(50)
        .then(() -> {
          stage.cluster.crash(away, false);
          stage.cluster.crash(emptied, false);
          emptied.disk.wipe();
        })
        .pauseUntil(
            () -> deleted.stream().allMatch(probe -> Stage.held(third, probe) == null), 9000)
        .then(() -> {
          stage.unite(third, away, emptied);
          away.start();
          emptied.start();
        })
        .until(stage::isComplete, 20_000)
        .then(() -> {
          stage.read(third, written);
          stage.read(emptied, written);
        })
        .pauseUntil(stage::isIdle, 2000);
  }

  /**
   * Two of five are away, and take writes as the majority of three replicas; tombstones of other
   * records are about to be removed without them.
   */
  private void twoAway(Script script, List<SimNode> nodes) {
    SimNode one = nodes.get(0);
    SimNode two = nodes.get(1);
    SimNode[] rest = nodes.subList(2, 5).toArray(new SimNode[0]);
    List<HotKey> deleted = stage.probes(true, key -> !isOf(key, one) && !isOf(key, two));
    List<HotKey> written = stage.probes(true, key -> isOf(key, one) && isOf(key, two));
    script
        .then(() -> stage.fill(rest[0], deleted))
        .until(stage::isIdle, 2000)
        .pause(300)
        .then(() -> {
          stage.part(one, rest);
          stage.part(two, rest);
        })
        .pause(20)
        .then(() -> {
          stage.delete(rest[0], deleted);
          stage.put(one, written);
        })
        .pauseUntil(
            () ->
                deleted.stream()
                    .allMatch(probe ->
                        List.of(rest).stream().allMatch(node -> Stage.held(node, probe) == null)),
            15_000)
        .then(() -> {
          stage.unite(one, rest);
          stage.unite(two, rest);
        })
        .pause(1500)
        .until(stage::isComplete, 20_000)
        .then(() -> {
          stage.read(one, written);
          stage.read(rest[0], written);
        })
        .pauseUntil(stage::isIdle, 2000);
  }

  private boolean isOf(Key key, SimNode node) {
    return stage.cluster.keepers(key, 3).contains(node.id);
  }
}
