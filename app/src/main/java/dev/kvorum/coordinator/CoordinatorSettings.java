package dev.kvorum.coordinator;

import java.time.Duration;

/**
 * Bounds of a coordinator's work.
 *
 * @param replication copies of a record whose writer did not set a number
 * @param requestTimeout longest duration of a request, retries and repairs included
 * @param hedgesPerRead hedged reads as a share of all reads in the long run
 * @param pauseMax longest pause of an event loop after which it accepts the writes that arrived
 *     meanwhile
 */
public record CoordinatorSettings(
    int replication, Duration requestTimeout, double hedgesPerRead, Duration pauseMax) {}
