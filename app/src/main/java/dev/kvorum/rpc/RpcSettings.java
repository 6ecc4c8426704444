package dev.kvorum.rpc;

import java.time.Duration;

/**
 * Bounds of the conversation between nodes.
 *
 * @param port where this node listens for the others
 * @param connectTimeout how long one attempt to connect may take
 * @param reconnectMin first pause after a connection was lost or refused
 * @param reconnectMax longest pause; the pauses double up to it, with jitter
 * @param heartbeat interval at which a peer is asked for a sign of life
 * @param suspectAfter silence after which a peer is asked last
 * @param dropAfter silence after which its connection is closed and recreated
 * @param frameBytesMax largest frame of a member; before the handshake, at most the length of a
 *     handshake
 * @param outboundBytesMax bytes that may wait for slow peers, see {@link OutboundBudget}
 * @param inFlightMax requests under way on one connection
 * @param connectionsMax connections taken from other nodes
 * @param hedgeMin shortest wait before a second replica is asked for a read
 * @param hedgeMax longest such wait
 */
public record RpcSettings(
    int port,
    Duration connectTimeout,
    Duration reconnectMin,
    Duration reconnectMax,
    Duration heartbeat,
    Duration suspectAfter,
    Duration dropAfter,
    int frameBytesMax,
    long outboundBytesMax,
    int inFlightMax,
    int connectionsMax,
    Duration hedgeMin,
    Duration hedgeMax) {}
