/**
 * The page for people on the management port: {@link dev.kvorum.console.ConsoleRoutes} serves it,
 * the slots that it draws ({@code SlotsView}) and a way to one key ({@code EntityProxy}). All else
 * that it shows it reads from the actuator's endpoints, as any other client.
 *
 * <p>Imports {@code placement}, {@code topology}, Reactive Streams, Reactor and Spring.
 */
@NullMarked
package dev.kvorum.console;

import org.jspecify.annotations.NullMarked;
