/**
 * The custom resources: desired state from users, and status from the operator.
 *
 * <p>Reading order: {@link KvorumCluster} with {@link KvorumClusterSpec} and {@link
 * KvorumClusterStatus}, then {@link KvorumTopology}, which the operator publishes to the nodes, and
 * {@link KvorumLoadTest}. The CRDs in {@code helm/kvorum/crds} are generated from these types.
 *
 * <p>Imports Fabric8's model, Jackson's annotations and no other package of Kvorum.
 */
@NullMarked
package dev.kvorum.operator.api;

import org.jspecify.annotations.NullMarked;
