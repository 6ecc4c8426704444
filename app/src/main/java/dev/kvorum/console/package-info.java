/**
 * The web page on the management port. {@link dev.kvorum.console.ConsoleRoutes} serves it, the
 * slots that it draws ({@code SlotsView}) and a proxy for keys ({@code ApiProxy}). The page reads
 * all other data from the actuator's endpoints, like any other client.
 *
 * <p>Imports {@code placement}, {@code topology}, Netty, Reactive Streams, Reactor, Reactor Netty
 * and Spring.
 */
@NullMarked
package dev.kvorum.console;

import org.jspecify.annotations.NullMarked;
