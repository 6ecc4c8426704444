/**
 * Who belongs to the cluster, under which epoch.
 *
 * <p>Read {@link dev.kvorum.topology.Member}, {@link dev.kvorum.topology.Topology}, then {@link
 * dev.kvorum.topology.CurrentTopology}, which the rest of the node asks. Reachability is not part
 * of it: that is liveness, and it never changes placement.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.topology;

import org.jspecify.annotations.NullMarked;
