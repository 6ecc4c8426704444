package dev.kvorum.rpc;

import dev.kvorum.metrics.RpcMeters;
import java.util.random.RandomGenerator;

/**
 * What the connections of one event loop to all peers share.
 *
 * @param locator finds a peer's address
 * @param outbound bounds what waits for slow peers, on the connections of all loops
 * @param random jitter of attempts to connect, on this loop only
 * @param clocks receives the clock readings of heartbeats
 */
public record PeerContext(
    HandshakePolicy handshakes,
    PeerLocator locator,
    PeerSettings settings,
    OutboundBudget outbound,
    RandomGenerator random,
    RpcMeters meters,
    RemoteClockMonitor clocks) {}
