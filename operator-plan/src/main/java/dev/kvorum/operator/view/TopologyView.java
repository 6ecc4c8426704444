package dev.kvorum.operator.view;

import dev.kvorum.operator.api.KvorumTopologySpec;
import java.util.OptionalInt;

/**
 * The observed state of the topology object.
 *
 * @param owned whether it is deleted with the cluster
 * @param kept whether it has the annotation that excludes it from pruning
 * @param founded whether it marks the cluster as founded
 * @param replication the number of copies with which records were written under it, if recorded
 * @param resourceVersion the version with which its update is compared
 */
public record TopologyView(
    KvorumTopologySpec spec,
    boolean owned,
    boolean kept,
    boolean founded,
    OptionalInt replication,
    String resourceVersion) {
  /** Whether it has all annotations that the operator sets. */
  public boolean marked() {
    return kept && replication.isPresent();
  }
}
