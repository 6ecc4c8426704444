package dev.kvorum.coordinator;

import java.time.Duration;

/**
 * Limits of a coordinator.
 *
 * @param requestTimeout longest duration of a request, including retries and repairs
 * @param hedgesPerRead hedged reads as a share of all reads in the long run
 * @param pauseMax a loop that paused for longer rejects the writes that arrived meanwhile
 */
public record CoordinatorSettings(
    int replication, Duration requestTimeout, double hedgesPerRead, Duration pauseMax) {}
