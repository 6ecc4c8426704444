/**
 * The way of one request to its quorum and back.
 *
 * <p>Read {@link dev.kvorum.coordinator.Quorum}; {@code WriteTracker} and {@code ReadTracker},
 * which think and do nothing else; then {@link dev.kvorum.coordinator.Coordinator} with {@code
 * WriteOperation} and {@code ReadOperation}, which ask the replicas and let the trackers decide.
 * Ranges are {@code RangeRead} with {@code RangeTracker}, which merges what each {@code
 * RangeSource} brings, and {@code RangeVotes}, which knows when too few are left.
 *
 * <p>Imports {@code data}, {@code topology}, {@code placement}, {@code replica}, {@code metrics},
 * {@code tracing} and Reactor; the store's answers ({@code Lookup}, {@code Applied}) come with the
 * replies.
 */
@NullMarked
package dev.kvorum.coordinator;

import org.jspecify.annotations.NullMarked;
