/**
 * The way of one request to its quorum and back.
 *
 * <p>Read {@link dev.kvorum.coordinator.Quorum}; {@code WriteTracker} and {@code ReadTracker},
 * which only decide; then {@link dev.kvorum.coordinator.Coordinator} with {@code WriteOperation}
 * and {@code ReadOperation}, which ask the replicas and let the trackers decide. Ranges are {@code
 * RangeRead} with {@code RangeTracker}, which merges what each {@code RangeSource} brings, and
 * {@code RangeVotes}, which decides when too few are left.
 *
 * <p>Imports {@code data}, {@code metrics}, {@code placement}, {@code replica}, {@code settings},
 * {@code storage}, {@code topology}, {@code tracing}, Reactor and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.coordinator;

import org.jspecify.annotations.NullMarked;
