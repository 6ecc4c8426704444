package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches {@code Invariant.DIVERGED}: compares what the disks of a healed cluster hold. An expired
 * record is as good as a tombstone, and a tombstone as good as nothing once it was removed
 * somewhere; but a tombstone is not as good as a record of its version that is live.
 */
final class Convergence {
  private final SimCluster cluster;

  Convergence(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** What is not as it should be, empty when all is well. */
  List<String> differences(long nowMillis) {
    List<String> found = new ArrayList<>();
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      if (process == null || !process.isReady()) {
        found.add(node.id + " is not ready");
      } else if (process.core().fence().isRaised()) {
        found.add(node.id + " is fenced");
      } else if (!process.core().repair().complete().isDone()) {
        found.add(node.id + " is not complete");
      } else if (cluster.profile.bias() == Bias.UPGRADES && !process.release().usesAll()) {
        found.add(node.id + " does not use the feature that all have");
      } else if (!process.isHealthy()) {
        found.add(node.id + " rejects writes");
      } else if (node.disk.isCorrupted()) {
        found.add(node.id + " keeps a corrupted store");
      } else if (process.openWrites() != 0) {
        found.add(node.id + " has " + process.openWrites() + " open writes");
      } else if (!process.store().targets().isEmpty()) {
        found.add(node.id + " has hints for " + process.store().targets());
      }
    }
    if (!cluster.operator.isAtRest()) {
      found.add("the members change");
    }
    if (cluster.profile.trouble() == Profile.Trouble.GENTLE) {
      // Other keys have their numbers of copies changed, and with them who has to hold them.
      cluster.profile.keys().stream()
          .filter(HotKey::strict)
          .forEach(hot -> unhinted(hot.key(), found));
      return found;
    }
    SortedSet<Key> keys = new TreeSet<>();
    cluster.nodes().forEach(node -> keys.addAll(node.disk.written().records.keySet()));
    keys.forEach(key -> differences(key, nowMillis, found));
    return found;
  }

  /** With handoff alone, what was acknowledged reaches every replica. */
  private void unhinted(Key key, List<String> found) {
    cluster
        .invariants
        .of(key)
        .newestAcknowledged()
        .forEach((from, version) -> {
          for (MemberId keeper : cluster.keepers(key, from)) {
            SimNode node = cluster.byId().get(keeper);
            if (node != null && version.isNewerThan(node.disk.written().version(key))) {
              found.add(key + " on " + keeper + " is older than " + version);
            }
          }
        });
  }

  private void differences(Key key, long nowMillis, List<String> found) {
    Optional<Versioned> newest =
        cluster.nodes().stream()
            .flatMap(node -> Optional.ofNullable(record(node, key)).stream())
            .reduce((a, b) -> outweighs(b, a, nowMillis) ? b : a);
    if (newest.isEmpty() || isLost(key, newest.get().version())) {
      return;
    }
    boolean gone = !newest.get().isLiveAt(nowMillis);
    Map<MemberId, SimNode> byId = cluster.byId();
    for (MemberId keeper : cluster.keepers(key, newest.get().from())) {
      SimNode node = byId.get(keeper);
      Versioned held = node == null ? null : record(node, key);
      Version version = held == null ? Version.NONE : held.version();
      boolean removed = gone && held == null;
      boolean flipped = held != null && !held.isIntact(key);
      boolean expiredEarly = !gone && held != null && held.tombstone();
      boolean differs = expiredEarly || !version.equals(newest.get().version());
      if (flipped || (!removed && differs)) {
        found.add(key + " on " + keeper + ": " + held + ", not " + newest.get());
      }
    }
  }

  /**
   * Whether the only copy had its bits flipped and its member reports that. All copies but one go
   * while the key is written for fewer copies, which is no loss: such a key has no fixed number.
   */
  private boolean isLost(Key key, Version version) {
    List<SimNode> holders =
        cluster.nodes().stream()
            .filter(node -> node.disk.written().version(key).equals(version))
            .toList();
    boolean isStrict =
        cluster.profile.keys().stream().anyMatch(hot -> hot.strict() && hot.key().equals(key));
    return !isStrict
        && holders.size() == 1
        && holders.stream().allMatch(node -> reportsLost(node, key));
  }

  private static boolean reportsLost(SimNode node, Key key) {
    Versioned held = record(node, key);
    SimProcess process = node.process();
    return held != null
        && !held.isIntact(key)
        && process != null
        && process.core().verifier().areLost(List.of(key));
  }

  private static boolean outweighs(Versioned record, Versioned other, long nowMillis) {
    return record.version().isNewerThan(other.version())
        || (record.version().equals(other.version()) && record.isLiveAt(nowMillis));
  }

  private static @Nullable Versioned record(SimNode node, Key key) {
    return node.disk.written().records.get(key);
  }
}
