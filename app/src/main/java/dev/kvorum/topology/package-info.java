/**
 * The members of the cluster, under an epoch.
 *
 * <p>Read {@link dev.kvorum.topology.Member}, {@link dev.kvorum.topology.Topology}, then {@link
 * dev.kvorum.topology.CurrentTopology}, from which the rest of the node reads. Reachability is not
 * part of it: that is liveness, which never changes placement.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.topology;

import org.jspecify.annotations.NullMarked;
