package dev.kvorum.rpc;

import java.time.Duration;

/**
 * How a node connects to its peers, and when it hedges a read to one of them.
 *
 * @param hedgeMin shortest wait before a second replica is asked for a read
 * @param hedgeMax longest such wait
 */
public record PeerSettings(RpcSettings rpc, Duration hedgeMin, Duration hedgeMax) {}
