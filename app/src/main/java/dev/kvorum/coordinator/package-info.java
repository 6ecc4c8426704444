/**
 * Coordination of client requests: sends each to its replicas and decides its outcome by quorum.
 *
 * <p>Read {@link dev.kvorum.coordinator.Quorum}; {@code WriteTracker} and {@code ReadTracker},
 * which are pure and make the decisions; then {@link dev.kvorum.coordinator.Coordinator} with
 * {@code WriteOperation} and {@code ReadOperation}, which send the requests. Ranges are {@code
 * RangeRead} with {@code RangeMerger}, which merges the records of each {@code RangeSource}, and
 * {@code RangeVotes}, which decides whether enough members reply. {@code ExplainOperation} asks all
 * replicas of a key what they have, for a {@link dev.kvorum.coordinator.KeyReport}.
 *
 * <p>Imports {@code data}, {@code deadlines}, {@code metrics}, {@code placement}, {@code replica},
 * {@code settings}, {@code storage}, {@code topology}, {@code tracing}, Reactor and, in its
 * settings, Spring.
 */
@NullMarked
package dev.kvorum.coordinator;

import org.jspecify.annotations.NullMarked;
