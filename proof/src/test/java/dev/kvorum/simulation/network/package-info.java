/**
 * The simulated network: links that lose, delay, reorder and change frames, and both ends of a
 * connection between two processes.
 *
 * <p>Read {@code SimNetwork}; {@code SimTransport} with {@code SimPeer} and {@code SimConnection},
 * the end that sends requests; {@code SimServer}, the end that serves them; {@code SimLoopContext},
 * one event loop of a process.
 */
@NullMarked
package dev.kvorum.simulation.network;

import org.jspecify.annotations.NullMarked;
