package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumTopologySpec;

/**
 * The topology object as it is.
 *
 * @param owned whether it goes when the cluster is deleted
 * @param kept whether tools that prune have been told what to do with it
 * @param resourceVersion what a change of it is compared with
 */
public record TopologyView(
    KvorumTopologySpec spec, boolean owned, boolean kept, String resourceVersion) {}
