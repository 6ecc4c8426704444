/**
 * The Spring Boot shell of a node: beans, the actuator endpoint, meters and the graceful stop.
 *
 * <p>Read {@link dev.kvorum.boot.NodeConfiguration}, which creates all beans but those of {@link
 * dev.kvorum.boot.AccessConfiguration}; {@link dev.kvorum.boot.NodeReadiness}, which decides when a
 * node is ready; {@link dev.kvorum.boot.KvorumEndpoint} ({@code /actuator/kvorum}); {@code
 * NodeMeterBinder}, which registers the polled meters; {@code ManagementAccess} and {@code
 * AdministrationAudit}, which reject and record what is done at the management port; {@code
 * GracefulDrain}; and what a user meets whose node does not start: {@link
 * dev.kvorum.boot.CommandLine}, {@code DurationUnits} and {@code StartFailureReporter}.
 *
 * <p>Imports {@code audit}, {@code auth}, {@code auth.serviceaccount}, {@code backup}, {@code
 * backup.objectstore}, {@code backup.restore}, {@code config}, {@code console}, {@code
 * coordinator}, {@code data}, {@code http}, {@code http.connection}, {@code metrics}, {@code node},
 * {@code placement}, {@code rebalance}, {@code repair}, {@code rpc}, {@code security}, {@code
 * storage}, {@code storage.engine}, {@code topology}, {@code tracing}, Jackson, Micrometer, Netty,
 * Reactor Netty and Spring.
 */
@NullMarked
package dev.kvorum.boot;

import org.jspecify.annotations.NullMarked;
