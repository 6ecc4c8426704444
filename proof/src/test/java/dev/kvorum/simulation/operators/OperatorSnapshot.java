package dev.kvorum.simulation.operators;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.StatefulSetView;
import dev.kvorum.operator.view.TaskView;
import dev.kvorum.operator.view.TopologyView;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an operator has read so far, each part at a time of its own. */
final class OperatorSnapshot {
  final int life;

  /** What pods should be made from. */
  final String template;

  final KvorumClusterSpec spec;
  @Nullable StatefulSetView set;
  @Nullable TopologyView topology;
  SortedMap<Integer, PodView> pods = new TreeMap<>();
  @Nullable TaskView task;
  long setVersion;
  long topologyVersion;
  long taskVersion;
  SortedMap<String, Long> podVersions = new TreeMap<>();

  /**
   * Nothing but the cluster itself.
   *
   * @param life of the operator that looks
   */
  OperatorSnapshot(int life, String template, KvorumClusterSpec spec) {
    this.life = life;
    this.template = template;
    this.spec = spec;
  }
}
