/**
 * The replicas of a key: requests, replies, and the member's own replica.
 *
 * <p>Read {@link dev.kvorum.replica.ReplicaRequest} and {@link dev.kvorum.replica.ReplicaReply},
 * all that nodes ask of each other; {@link dev.kvorum.replica.Replicas}, all members as replicas;
 * {@link dev.kvorum.replica.LocalReplica}, which answers for this member; and {@link
 * dev.kvorum.replica.Transport}, the way to the others, which {@code rpc} implements.
 *
 * <p>Imports {@code data}, {@code storage}, {@code topology} and {@code tracing}.
 */
@NullMarked
package dev.kvorum.replica;

import org.jspecify.annotations.NullMarked;
