package dev.kvorum.simulation.faults;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.storage.CorruptedImage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Stores that turn out to be corrupted, of one member or of several at once. No record is corrupted
 * on two of them, so that nothing acknowledged may be lost.
 */
public final class Corruption {
  private static final long ACCEPT_MILLIS = 1000;

  /** Of a replacement and a salvage. */
  private static final int STEPS_MAX = 12;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final BiConsumer<String, String> count;

  Corruption(SimCluster cluster, SplittableRandom random, BiConsumer<String, String> count) {
    this.cluster = cluster;
    this.random = random;
    this.count = count;
  }

  /** Corrupts the stores of one member, of two or of all, in peace. */
  public void strike() {
    if (random.nextInt(3) == 0) {
      strikeAllWhileOneIsBehind();
    } else {
      strike(1 + random.nextInt(2));
    }
  }

  /**
   * One member is cut off while clients write, so that of three copies there are two. Then all
   * stores are corrupted at once: of those two copies one, and the other one is slow to be read.
   */
  private void strikeAllWhileOneIsBehind() {
    List<SimNode> nodes = cluster.nodes();
    SimNode behind = nodes.getFirst();
    nodes.forEach(node -> cut(behind, node, true));
    later(
        900,
        () -> {
          nodes.forEach(node -> cut(behind, node, false));
          if (!nodes.stream().allMatch(this::isSound)) {
            return;
          }
          for (SimNode node : nodes) {
            node.disk.isSlowToSalvage = node == nodes.getLast();
            Set<Key> newer = new HashSet<>();
            if (node == nodes.get(1)) {
              node.disk
                  .written()
                  .records
                  .forEach((key, record) -> {
                    Version there = behind.disk.written().version(key);
                    if (record.version().isNewerThan(there)) {
                      newer.add(key);
                    }
                  });
            }
            corruptNow(node, newer);
          }
        });
  }

  private void cut(SimNode one, SimNode other, boolean cut) {
    if (one != other) {
      cluster.network.cut(one.id, other.id, cut);
      cluster.network.cut(other.id, one.id, cut);
    }
  }

  private void corruptNow(SimNode node, Set<Key> keys) {
    SimProcess process = node.process();
    if (process != null) {
      count.accept("corrupted-store", node.id + " " + keys);
      node.disk.corrupt(new CorruptedImage.Corruption(keys, true, true));
      process.meetCorruption();
    }
  }

  /** Corrupts the stores of so many members, some now and some within moments. */
  void strike(int members) {
    List<SimNode> struck = new ArrayList<>(cluster.nodes());
    if (!struck.stream().allMatch(this::isSound)) {
      return;
    }
    Collections.shuffle(struck, new Random(random.nextLong()));
    SortedSet<Key> keys = new TreeSet<>();
    struck.forEach(node -> keys.addAll(node.disk.written().records.keySet()));
    struck.forEach(node -> keys.addAll(node.disk.written().overwritten.keySet()));
    List<Set<Key>> shares = new ArrayList<>();
    struck.forEach(node -> shares.add(new HashSet<>()));
    for (Key key : keys) {
      if (random.nextInt(3) == 0) {
        shares.get(random.nextInt(members)).add(key);
      }
    }
    for (int i = 0; i < members; i++) {
      SimNode node = struck.get(i);
      Set<Key> share = shares.get(i);
      // If several members lack a complete log, none can determine what was deleted (ADR 0016).
      boolean isLogComplete = members > 1 || random.nextInt(4) > 0;
      if (random.nextBoolean()) {
        corrupt(node, share, isLogComplete);
      } else {
        later(random.nextLong(1500), () -> corrupt(node, share, isLogComplete));
      }
    }
  }

  /** Whether a node may be corrupted: one that has already lost records must not lose more. */
  private boolean isSound(SimNode node) {
    return cluster.areOthersComplete(node) && node.isRunning() && !node.disk.isCorrupted();
  }

  private void later(long millis, Runnable action) {
    cluster.time.schedule(action, millis, TimeUnit.MILLISECONDS);
  }

  /** Whether a member is being rebuilt that has nothing left to be read. */
  private boolean isAnyDiskLost() {
    return cluster.nodes().stream()
        .anyMatch(node ->
            node.isAway || (!node.disk.isCorrupted() && node.disk.written().mark("complete") == 0));
  }

  private void corrupt(SimNode node, Set<Key> keys, boolean isLogComplete) {
    SimProcess process = node.process();
    if (process == null || node.disk.isCorrupted() || isAnyDiskLost()) {
      return;
    }
    count.accept("corrupted-store", node.id + " " + keys + (isLogComplete ? "" : " and log"));
    // A catalogue that cannot be read hides as much as the end of a log.
    boolean hasCatalogue = isLogComplete || random.nextBoolean();
    if (random.nextInt(3) == 0) {
      node.disk.stepsUntilDeath = 1 + random.nextInt(STEPS_MAX);
    }
    node.disk.corrupt(new CorruptedImage.Corruption(keys, isLogComplete, hasCatalogue));
    if (random.nextBoolean()) {
      process.meetCorruption();
    } else {
      // Detected at the next opening.
      cluster.crash(node, false);
      later(100 + random.nextLong(2000), node::start);
    }
  }

  /** Accepts, again and again, what the members take for lost: nothing that counts is. */
  void heal() {
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      if (process != null) {
        process.core().repair().acceptLoss();
      }
    }
    cluster.time.schedule(this::heal, ACCEPT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
