/**
 * The node's program: {@link dev.kvorum.KvorumApplication} starts it as a Spring Boot application.
 *
 * <p>A request passes {@code http}, {@code coordinator}, {@code replica}, {@code storage}, and
 * {@code rpc} between nodes; a membership change passes {@code membership}, {@code topology},
 * {@code node} ({@code TopologyApplier}), {@code placement}, {@code rebalance}.
 *
 * <p>Imports {@code boot} and Spring.
 */
@NullMarked
package dev.kvorum;

import org.jspecify.annotations.NullMarked;
