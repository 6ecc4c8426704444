package dev.kvorum.simulation.clients;

import dev.kvorum.coordinator.RangePart;
import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Invariant;
import dev.kvorum.simulation.run.Invariants;
import dev.kvorum.simulation.run.KeyHistory.Floor;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Feature;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One range of all members' records as a client sees it: each key is held to what was acknowledged,
 * or seen, before the range was asked for; no later read is held to what the range shows.
 */
final class ClusterRange {
  static final RangeSettings SETTINGS =
      TestSettings.of(RangeSettings.class, "page-records=3", "page-bytes=1KB", "page-timeout=2s");

  private final Invariants invariants;
  private final Map<Key, Floor> floors = new HashMap<>();
  private final Set<Key> seen = new HashSet<>();
  private final KeyOrder order;
  private @Nullable Key last;
  private boolean isIncomplete;

  /** A range that is asked for now, with the keys of which it is complete. */
  ClusterRange(SimCluster cluster, KeyOrder order) {
    this.invariants = cluster.invariants;
    this.order = order;
    int replication = Math.min(3, cluster.profile.members());
    for (HotKey hot : cluster.profile.keys()) {
      if (hot.strict() && hot.from() == replication && !cluster.profile.isLossy()) {
        floors.put(hot.key(), cluster.invariants.of(hot.key()).floor());
      }
    }
  }

  /** Every other range is read in reverse, where nodes can. */
  static KeyOrder order(SimCluster cluster, SimNode node, int operations) {
    SimProcess process = node.process();
    boolean canReverse =
        cluster.profile.bias() != Bias.UPGRADES
            || (process != null && process.release().active().contains(Feature.REVERSE_SCAN));
    return canReverse && operations % 4 == 3 ? KeyOrder.DESCENDING : KeyOrder.ASCENDING;
  }

  RangeQuery query() {
    return new RangeQuery(KeyRange.ALL, order, Long.MAX_VALUE, RangeQuery.Scope.CLUSTER);
  }

  void part(RangePart part) {
    switch (part) {
      case RangePart.Records records -> records(records.records());
      case RangePart.Incomplete incomplete -> isIncomplete = true;
    }
  }

  private void records(List<Mutation> records) {
    for (Mutation mutation : records) {
      Key key = mutation.key();
      if (last != null && !order.isBefore(last, key)) {
        invariants.violated(Invariant.RANGE, "cluster: " + key + " behind " + last);
      }
      last = key;
      seen.add(key);
      invariants.ranged(key, Optional.ofNullable(floors.get(key)), Optional.of(mutation.record()));
    }
  }

  /** The range ends as over HTTP; its outcome. */
  String end() {
    if (isIncomplete) {
      return "RangeIncomplete";
    }
    floors.forEach((key, floor) -> {
      if (!seen.contains(key)) {
        invariants.ranged(key, Optional.of(floor), Optional.empty());
      }
    });
    return "Ranged";
  }
}
