package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumTopologySpec;
import java.util.OptionalInt;

/**
 * The topology object as it is.
 *
 * @param owned whether it goes when the cluster is deleted
 * @param kept whether tools that prune have been told what to do with it
 * @param founded whether it says that the cluster has begun
 * @param replication with how many copies records were written under it, if it says so
 * @param resourceVersion what a change of it is compared with
 */
public record TopologyView(
    KvorumTopologySpec spec,
    boolean owned,
    boolean kept,
    boolean founded,
    OptionalInt replication,
    String resourceVersion) {
  /** Whether it says all that the operator says beside its spec. */
  public boolean marked() {
    return kept && replication.isPresent();
  }
}
