package dev.kvorum.node;

import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.RemoteClockMonitor;

/**
 * Makes the connections of event loops to the peers.
 *
 * @param <L> the type of the event loops
 */
@FunctionalInterface
public interface TransportFactory<L> {
  /** The connections of one event loop; nothing is connected yet. */
  Transport transport(L loop, HandshakePolicy handshakes, RemoteClockMonitor peerClocks);
}
