package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumTopologySpec;
import java.util.OptionalInt;

/**
 * The topology object as it is.
 *
 * @param owned whether it goes when the cluster is deleted
 * @param kept whether it has the annotation for tools that prune
 * @param founded whether it marks the cluster as founded
 * @param replication with how many copies records were written under it, if recorded
 * @param resourceVersion what a change of it is compared with
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
