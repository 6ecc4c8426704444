/**
 * The Spring Boot shell of a node: beans, the actuator endpoint, meters and the graceful stop.
 *
 * <p>Read {@link dev.kvorum.boot.NodeConfiguration}, which creates all beans; {@link
 * dev.kvorum.boot.KvorumEndpoint} ({@code /actuator/kvorum}); {@code NodeMeterBinder}, which
 * registers the polled meters; and {@code GracefulDrain}.
 *
 * <p>Imports {@code config}, {@code console}, {@code data}, {@code http}, {@code http.connection},
 * {@code metrics}, {@code node}, {@code placement}, {@code rebalance}, {@code repair}, {@code rpc},
 * {@code storage}, {@code storage.engine}, {@code topology}, {@code tracing}, Micrometer, Netty,
 * Reactor Netty and Spring.
 */
@NullMarked
package dev.kvorum.boot;

import org.jspecify.annotations.NullMarked;
