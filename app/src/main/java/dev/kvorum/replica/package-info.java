/**
 * The members that hold a key, near and far: one door for the coordinator and for repairs.
 *
 * <p>Read {@link dev.kvorum.replica.ReplicaRequest} and {@link dev.kvorum.replica.ReplicaReply},
 * the whole conversation between nodes; {@link dev.kvorum.replica.Replicas}, the door; {@link
 * dev.kvorum.replica.LocalReplica}, which answers; then {@link dev.kvorum.replica.Transport} and
 * the wire behind it: {@code FrameReader}, {@code Handshake}, {@code ReplicaCodec}, {@code
 * PeerConnection}, {@link dev.kvorum.replica.ReplicaServer}.
 *
 * <p>Everything of one {@code Replicas} happens on one event loop, so nothing here needs a lock.
 *
 * <p>Imports {@code data}, {@code topology}, {@code storage}, {@code metrics}, {@code tracing} and
 * Netty.
 */
@NullMarked
package dev.kvorum.replica;

import org.jspecify.annotations.NullMarked;
