package dev.kvorum.simulation.faults;

import dev.kvorum.data.Key;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.storage.SimDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/** Disks that are slow, full or failing for a while, and records that cannot be read. */
final class DiskFaults {
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final BiConsumer<String, String> count;
  private final ObjLongConsumer<Runnable> later;
  private final LongSupplier aWhile;

  /**
   * Disks that are well.
   *
   * @param count notified of each fault's kind and where it is
   * @param later does something after so many milliseconds
   * @param aWhile how many milliseconds a fault lasts
   */
  DiskFaults(
      SimCluster cluster,
      SplittableRandom random,
      BiConsumer<String, String> count,
      ObjLongConsumer<Runnable> later,
      LongSupplier aWhile) {
    this.cluster = cluster;
    this.random = random;
    this.count = count;
    this.later = later;
    this.aWhile = aWhile;
  }

  void slow(SimNode node) {
    SimDisk disk = node.disk;
    count.accept("slow-disk", node.id.name());
    disk.slowMillis = 1 + random.nextLong(random.nextInt(4) == 0 ? 1500 : 80);
    later.accept(() -> disk.slowMillis = 0, aWhile.getAsLong());
  }

  void full(SimNode node) {
    SimDisk disk = node.disk;
    count.accept("full-disk", node.id.name());
    disk.full = true;
    later.accept(() -> disk.full = false, aWhile.getAsLong());
  }

  void failing(SimNode node) {
    SimDisk disk = node.disk;
    count.accept("failing-disk", node.id.name());
    disk.failingShare = random.nextDouble();
    later.accept(() -> disk.failingShare = 0, aWhile.getAsLong());
  }

  void damage(SimNode node) {
    List<Key> held = new ArrayList<>(node.disk.written().records.keySet());
    if (!held.isEmpty()) {
      Key key = held.get(random.nextInt(held.size()));
      count.accept("damaged-record", node.id + " " + key);
      node.disk.damaged.add(key);
      SimNode other = cluster.anyNode(random);
      // Where two copies of three cannot be read, a majority must not take that for an absence.
      if (other.disk.written().records.containsKey(key)) {
        other.disk.damaged.add(key);
      }
    }
  }
}
