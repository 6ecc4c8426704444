/**
 * Where the topology and the members' addresses come from, and who this node is.
 *
 * <p>Read {@link dev.kvorum.membership.StaticTopology}, the list of peers that a user gives; {@link
 * dev.kvorum.membership.KubernetesTopology}, the object that an operator writes; {@link
 * dev.kvorum.membership.DataDirectory}, which one process has at a time; and {@link
 * dev.kvorum.membership.Identity}, which names its owner.
 *
 * <p>Imports {@code topology} and Fabric8.
 */
@NullMarked
package dev.kvorum.membership;

import org.jspecify.annotations.NullMarked;
