package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumTopologySpec;

/**
 * The topology object as it is.
 *
 * @param owned whether it goes when the cluster is deleted
 * @param resourceVersion what a change of it is compared with
 */
public record TopologyView(KvorumTopologySpec spec, boolean owned, String resourceVersion) {}
