/**
 * Netty handlers of client connections: limits, strict HTTP and stalled clients.
 *
 * <p>Read {@link dev.kvorum.http.connection.ClientConnections}, which installs the handlers and
 * closes idle connections, {@code StrictHttpHandler}, {@code WriteStallHandler} and {@link
 * dev.kvorum.http.connection.FlushBatcher}.
 *
 * <p>Imports {@code deadlines}, {@code http.problem}, {@code http.request}, {@code security},
 * Netty, Reactor, Reactor Netty and Spring.
 */
@NullMarked
package dev.kvorum.http.connection;

import org.jspecify.annotations.NullMarked;
