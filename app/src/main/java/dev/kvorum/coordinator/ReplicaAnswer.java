package dev.kvorum.coordinator;

import dev.kvorum.topology.MemberId;

/**
 * What one replica said, in a word, for the client of a request that found no quorum.
 *
 * @param word such as {@code stored}, {@code superseded}, {@code absent}, or a reason of {@link
 *     dev.kvorum.data.Refusal}, or {@code pending} or {@code not-asked}
 */
public record ReplicaAnswer(MemberId replica, String word) {}
