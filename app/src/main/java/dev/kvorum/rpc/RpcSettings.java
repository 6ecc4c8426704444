package dev.kvorum.rpc;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of the communication between nodes.
 *
 * @param port port on which this node listens for peers
 * @param connectTimeout longest duration of one attempt to connect
 * @param reconnectMin first pause after a connection was lost or rejected
 * @param reconnectMax longest pause; the pauses double up to it, with jitter
 * @param heartbeat interval of heartbeats to a peer
 * @param suspectAfter silence after which a peer is asked last
 * @param dropAfter silence after which a peer's connection is closed and recreated
 * @param frameBytesMax largest frame of a member, in bytes; before the handshake, at most the
 *     length of a handshake
 * @param outboundBytesMax bytes that may wait for slow peers, see {@link OutboundBudget}
 * @param inFlightMax largest number of requests in flight on one connection
 * @param connectionsMax largest number of connections accepted from peers
 * @param hedgeMin shortest wait before a read asks another replica
 * @param hedgeMax longest such wait
 */
public record RpcSettings(
    @DefaultValue("7400") int port,
    @DefaultValue("1s") Duration connectTimeout,
    @DefaultValue("50ms") Duration reconnectMin,
    @DefaultValue("1s") Duration reconnectMax,
    @DefaultValue("200ms") Duration heartbeat,
    @DefaultValue("600ms") Duration suspectAfter,
    @DefaultValue("5s") Duration dropAfter,
    @DefaultValue("24MB") DataSize outboundMax,
    @DefaultValue("16384") int inFlightMax,
    @DefaultValue("1024") int connectionsMax) {
  public RpcSettings {
    Bounds.between("kvorum.rpc.port", port, 1, 65_535);
    Bounds.between("kvorum.rpc.in-flight-max", inFlightMax, 1, 1 << 20);
    Bounds.between("kvorum.rpc.connections-max", connectionsMax, 1, 65_535);
    Bounds.positive("kvorum.rpc.connect-timeout", connectTimeout);
    Bounds.positive("kvorum.rpc.reconnect-min", reconnectMin);
    Bounds.positive("kvorum.rpc.reconnect-max", reconnectMax);
    Bounds.positive("kvorum.rpc.heartbeat", heartbeat);
    Bounds.positive("kvorum.rpc.suspect-after", suspectAfter);
    Bounds.positive("kvorum.rpc.drop-after", dropAfter);
  }

  /** {@code outboundMax} in bytes. */
  public long outboundBytesMax() {
    return outboundMax.toBytes();
  }
}
