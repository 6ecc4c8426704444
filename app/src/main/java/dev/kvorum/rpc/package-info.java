/**
 * The binary protocol between nodes: frames, handshakes, connections and the server.
 *
 * <p>Read {@code FrameReader}, {@code FrameWriter} and {@code ReplicaCodec}, the wire format;
 * {@code Handshake} and {@link dev.kvorum.rpc.HandshakePolicy} with {@link
 * dev.kvorum.rpc.ProcessRegistry} and {@link dev.kvorum.rpc.Fence}, which allow one process per
 * member; {@code Peer} and {@code PeerConnection}, the client side; {@link
 * dev.kvorum.rpc.RpcServer} and {@code ServedConnection}, the server side; {@link
 * dev.kvorum.rpc.RemoteClockMonitor}, which compares clocks by heartbeats.
 *
 * <p>Imports {@code data}, {@code metrics}, {@code replica}, {@code security}, {@code settings},
 * {@code storage}, {@code topology}, {@code tracing}, Netty and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.rpc;

import org.jspecify.annotations.NullMarked;
