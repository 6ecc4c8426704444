package dev.kvorum.rpc;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.rpc.*}: the protocol between nodes.
 *
 * @param address address on which this node listens for other nodes; empty: all
 * @param port port for other nodes, 1 to 65535
 * @param connectTimeout longest duration of one connection attempt
 * @param reconnectMin first pause after a connection was lost; pauses double up to {@code
 *     reconnectMax}, with jitter
 * @param reconnectMax longest such pause
 * @param heartbeat interval between pings of a peer
 * @param suspectAfter silence after which a peer is asked last; after three times that it counts as
 *     not connected
 * @param dropAfter silence after which a connection is replaced
 * @param outboundMax bytes that wait for slow peers, an eighth of them on one connection
 * @param inFlightMax requests in flight on one connection, 1 to 1048576
 * @param connectionsMax connections from other nodes, 1 to 65535
 */
public record RpcSettings(
    @DefaultValue("") String address,
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
    address = address.strip();
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
