/**
 * The members that hold a key, near and far: one door for the coordinator and for repairs.
 *
 * <p>Read {@link dev.kvorum.replica.ReplicaRequest} and {@link dev.kvorum.replica.ReplicaReply},
 * the whole conversation between nodes; {@link dev.kvorum.replica.Replicas}, the door; {@link
 * dev.kvorum.replica.LocalReplica}, which answers; then {@link dev.kvorum.replica.Transport} and
 * the wire behind it: {@code FrameReader}, {@code Handshake}, {@code ReplicaCodec}, {@code
 * PeerConnection}, {@link dev.kvorum.replica.ReplicaServer}.
 *
 * <p>{@link dev.kvorum.replica.HandshakePolicy} judges handshakes with {@link
 * dev.kvorum.replica.ProcessRegistry}: a node talks to one process of each member. These and {@link
 * dev.kvorum.replica.Fence} are shared by all event loops; everything of one {@code Replicas}
 * happens on one of them and needs no lock.
 *
 * <p>Imports {@code data}, {@code topology}, {@code storage}, {@code metrics}, {@code tracing} and
 * Netty.
 */
@NullMarked
package dev.kvorum.replica;

import org.jspecify.annotations.NullMarked;
