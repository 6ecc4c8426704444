/**
 * The replicas of a key: requests, replies, and the member's own replica.
 *
 * <p>Read {@link dev.kvorum.replica.ReplicaRequest} and {@link dev.kvorum.replica.ReplicaReply},
 * all messages between nodes; {@link dev.kvorum.replica.Replicas}, all members as replicas; {@link
 * dev.kvorum.replica.LocalReplica}, which serves requests for this member; and {@link
 * dev.kvorum.replica.Transport}, which sends requests to peers and which {@code rpc} implements.
 *
 * <p>Imports {@code data}, {@code deadlines}, {@code storage}, {@code topology} and {@code
 * tracing}.
 */
@NullMarked
package dev.kvorum.replica;

import org.jspecify.annotations.NullMarked;
