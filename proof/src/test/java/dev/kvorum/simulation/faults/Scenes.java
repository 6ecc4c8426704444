package dev.kvorum.simulation.faults;

import dev.kvorum.data.Key;
import dev.kvorum.simulation.clients.Script;
import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Profile.HotKey;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Faults at just the moment when a rule is needed, where members do not change. */
final class Scenes {
  private static final long QUIET_MILLIS = 1600;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Stage stage;
  private final BooleanSupplier over;
  private final TombstoneScenes tombstones;
  private int floors;

  Scenes(SimCluster cluster, SplittableRandom random, BooleanSupplier over) {
    this.cluster = cluster;
    this.random = random;
    this.over = over;
    this.stage = new Stage(cluster, random.split(), over);
    this.tombstones = new TombstoneScenes(stage);
  }

  void begin() {
    if (cluster.profile.bias() != Bias.CHANGES) {
      // A tombstone of any other key would count too.
      cluster.quiet = cluster.profile.bias() == Bias.TOMBSTONES;
      next();
    }
  }

  private void next() {
    cluster.time.schedule(
        () -> {
          if (!over.getAsBoolean() && cluster.invariants.violations().isEmpty()) {
            play();
          } else {
            cluster.quiet = false;
          }
        },
        300 + random.nextLong(1000),
        TimeUnit.MILLISECONDS);
  }

  private void play() {
    if (!stage.isComplete()) {
      next();
      return;
    }
    cluster.quiet = true;
    Script script = stage.script();
    switch (cluster.profile.bias()) {
      case FLOORS -> {
        script.pause(QUIET_MILLIS);
        if (cluster.nodes().size() == 5 && floors++ % 2 == 1) {
          emptyTwo(script);
        } else {
          writeBelowTheFloor(script);
        }
      }
      case PAUSES -> stopAmidWrites(script.pause(QUIET_MILLIS));
      case TOMBSTONES -> tombstones.add(script);
      case NONE, MEMBERS, DISKS, CHANGES, PLANS, UPGRADES -> {}
    }
    script.play(() -> {
      cluster.quiet = cluster.profile.bias() == Bias.TOMBSTONES && !over.getAsBoolean();
      stage.clear();
      next();
    });
  }

  /**
   * A member that has acknowledged a write of a fast clock loses its disk, and a node with a slow
   * clock that has not received that write forms a majority with it.
   */
  private void writeBelowTheFloor(Script script) {
    List<SimNode> nodes = stage.shuffled();
    SimNode emptied = nodes.get(0);
    SimNode fast = nodes.get(1);
    SimNode slow = nodes.get(2);
    boolean reachesFast = random.nextBoolean();
    List<HotKey> probes = stage.probes(false, key -> isOf(key, emptied, fast, slow));
    script
        .then(() -> {
          stage.setClock(emptied, 0);
          stage.setClock(fast, Profile.CLOCK_BOUND_MILLIS);
          stage.setClock(slow, -Profile.CLOCK_BOUND_MILLIS);
        })
        .pause(900)
        .then(() -> {
          stage.part(slow, emptied, fast);
          stage.put(fast, probes);
        })
        .pauseUntil(stage::isIdle, 60)
        .then(() -> {
          if (!reachesFast) {
            stage.part(fast, emptied);
          }
          stage.unite(slow, emptied);
          cluster.crash(emptied, false);
          emptied.disk.wipe();
          emptied.start();
        });
    for (int i = 0; i < 40; i++) {
      HotKey probe = probes.get(i % probes.size());
      script.pause(10).then(() -> stage.put(slow, probe));
    }
    script.pauseUntil(stage::isIdle, 1000);
  }

  /**
   * Two of the three members that acknowledged writes with five copies lose their disks, and the
   * third one is away: what the two copy from each other and from the rest is no majority.
   */
  private void emptyTwo(Script script) {
    List<SimNode> nodes = stage.shuffled();
    SimNode one = nodes.get(0);
    SimNode two = nodes.get(1);
    SimNode away = nodes.get(2);
    List<SimNode> rest = nodes.subList(3, 5);
    List<HotKey> probes =
        stage.probes(false, key -> true).stream()
            .map(probe -> new HotKey(probe.key(), 5, true))
            .toList();
    script
        // Records with three copies must survive two disks.
        .until(stage::isEqual, 4000)
        .then(() -> {
          rest.forEach(node -> stage.part(node, one, two, away));
          stage.put(one, probes);
        })
        .pauseUntil(stage::isIdle, 1000)
        .then(() -> {
          stage.part(away, one, two);
          rest.forEach(node -> stage.unite(node, one, two));
          for (SimNode emptied : List.of(one, two)) {
            cluster.crash(emptied, false);
            emptied.disk.wipe();
          }
          one.start();
          two.start();
        })
        .pause(2000 + random.nextLong(1000))
        .then(() -> stage.read(rest.getFirst(), probes))
        .pauseUntil(stage::isIdle, 1500)
        .then(() -> {
          stage.unite(away, one, two);
          rest.forEach(node -> stage.unite(node, away));
        })
        .until(stage::isComplete, 15_000)
        .then(() -> stage.read(rest.getFirst(), probes))
        .pauseUntil(stage::isIdle, 2000);
  }

  private boolean isOf(Key key, SimNode... some) {
    return cluster
        .keepers(key, 3)
        .containsAll(List.of(some).stream().map(node -> node.id).toList());
  }

  /**
   * A coordinator is stopped when its write has met a newer one, or before it has read the request.
   */
  private void stopAmidWrites(Script script) {
    List<SimNode> nodes = stage.shuffled();
    SimNode slow = nodes.get(0);
    SimNode fast = nodes.get(1);
    List<HotKey> probes = stage.probes(true, key -> isOf(key, slow, fast, nodes.get(2)));
    List<HotKey> met = probes.subList(0, 4);
    List<HotKey> waiting = probes.subList(4, 8);
    script
        .then(() -> {
          stage.setClock(slow, -Profile.CLOCK_BOUND_MILLIS);
          stage.setClock(fast, Profile.CLOCK_BOUND_MILLIS);
        })
        .pause(900)
        .then(() -> {
          stage.cut(fast, slow);
          stage.put(fast, met);
        })
        .pauseUntil(stage::isIdle, 60)
        // Answers come before the next tick, which gives up on what is overdue.
        .pause(1 + random.nextLong(7))
        .then(() -> {
          stage.uncut(fast, slow);
          stage.put(slow, met);
        })
        .pause(0)
        .then(slow::stop)
        .pause(20)
        .then(() -> stage.put(slow, waiting))
        .pause(5500 + random.nextLong(2000))
        .then(slow::resume)
        .pauseUntil(stage::isIdle, 2000);
  }
}
