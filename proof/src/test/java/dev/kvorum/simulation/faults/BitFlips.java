package dev.kvorum.simulation.faults;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.topology.MemberState;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Bits that change in values: on one member's disk, whose other copies are intact, and in records
 * on their way. With a random generator of its own, so that other faults come as they do without.
 */
final class BitFlips {
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final BiConsumer<String, String> count;
  private boolean over;

  BitFlips(SimCluster cluster, BiConsumer<String, String> count) {
    this.cluster = cluster;
    this.random = new SplittableRandom(cluster.profile.seed() ^ 0x2545F4914F6CDD1DL);
    this.count = count;
  }

  void start() {
    later(50 + random.nextLong(800), this::next);
  }

  void stop() {
    over = true;
  }

  private void later(long millis, Runnable action) {
    cluster.time.schedule(
        () -> {
          if (!over) {
            action.run();
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void next() {
    SimNode node = cluster.anyNode(random);
    if (random.nextBoolean()) {
      onDisk(node);
    } else {
      onTheWay(node, cluster.anyNode(random));
    }
    start();
  }

  /** Two copies at once would be more than a record of three survives. */
  private void onDisk(SimNode node) {
    boolean isComplete = node.disk.written().mark("complete") > 0;
    if (!isComplete || node.isAway || !cluster.areOthersComplete(node)) {
      return;
    }
    List<Key> held =
        node.disk.written().records.entrySet().stream()
            .filter(entry -> isElsewhere(node, entry))
            .map(Map.Entry::getKey)
            .toList();
    if (!held.isEmpty()) {
      Key key = held.get(random.nextInt(held.size()));
      count.accept("flipped-on-disk", node.id + " " + key);
      node.disk.flip(key, random);
    }
  }

  private boolean isElsewhere(SimNode node, Map.Entry<Key, Versioned> held) {
    Version version = held.getValue().version();
    return cluster.nodes().stream()
        .filter(other -> other != node && isToStay(other))
        .anyMatch(other ->
            other.disk.written().version(held.getKey()).equals(version)
                && other.disk.hasKept(held.getKey(), version, true));
  }

  /** What joins is taken away, and its copy with it, when the change is cancelled. */
  private boolean isToStay(SimNode node) {
    return cluster
        .operator
        .topology()
        .member(node.id)
        .filter(member -> member.state() == MemberState.ACTIVE)
        .isPresent();
  }

  private void onTheWay(SimNode from, SimNode to) {
    if (from != to) {
      count.accept("flipping-link", from.id + " " + to.id);
      cluster.network.flip(from.id, to.id, random.nextDouble());
      later(random.nextLong(2000), () -> cluster.network.flip(from.id, to.id, 0));
    }
  }
}
