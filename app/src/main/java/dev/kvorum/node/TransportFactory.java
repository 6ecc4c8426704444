package dev.kvorum.node;

import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.RemoteClockMonitor;

/**
 * Creates the connections of event loops to peers, and knows the threads of these loops.
 *
 * @param <L> type of the event loops
 */
public interface TransportFactory<L> {
  /** Creates the transport of one event loop, which has no connection yet. */
  Transport transport(L loop, HandshakePolicy handshakes, RemoteClockMonitor peerClocks);

  /** Returns whether the current thread is the loop's. */
  boolean isOn(L loop);
}
