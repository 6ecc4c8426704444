/**
 * Sources of the topology and of members' addresses, and the identity of this node.
 *
 * <p>Read {@link dev.kvorum.membership.StaticTopology}, a user's list of peers; {@link
 * dev.kvorum.membership.KubernetesTopology}, the object that the operator writes, with {@link
 * dev.kvorum.membership.PodConditions}, what the node says of itself there; {@link
 * dev.kvorum.membership.DataDirectory}, which one process uses at a time; and {@link
 * dev.kvorum.membership.IdentityFile}, which names its owner.
 *
 * <p>Imports {@code files}, {@code topology} and Fabric8.
 */
@NullMarked
package dev.kvorum.membership;

import org.jspecify.annotations.NullMarked;
