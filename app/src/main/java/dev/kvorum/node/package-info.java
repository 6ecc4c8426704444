/**
 * One node without Spring: its components, their start and their stop.
 *
 * <p>Read {@link dev.kvorum.node.Node}, which assembles a node on real disks and sockets; {@link
 * dev.kvorum.node.NodeCore}, which assembles replication, repair and the clock on any {@link
 * dev.kvorum.node.NodeDependencies}, so that the simulation runs the same code; {@link
 * dev.kvorum.node.LoopContext}, the components of one event loop; {@code StartupCatchUp}, the steps
 * until the node is ready; {@code TopologyApplier}, which applies a new epoch; and {@link
 * dev.kvorum.node.NodeStatus}, what a running node shows of itself.
 *
 * <p>Imports {@code background}, {@code backup}, {@code backup.restore}, {@code config}, {@code
 * coordinator}, {@code data}, {@code hints}, {@code membership}, {@code metrics}, {@code
 * placement}, {@code rebalance}, {@code repair}, {@code repair.rebuild}, {@code replica}, {@code
 * rpc}, {@code security}, {@code storage}, {@code storage.engine}, {@code storage.replace}, {@code
 * topology}, {@code tracing}, Netty and Reactor Netty.
 */
@NullMarked
package dev.kvorum.node;

import org.jspecify.annotations.NullMarked;
