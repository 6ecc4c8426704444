package dev.kvorum.coordinator;

import java.time.Duration;

/**
 * Bounds of a coordinator's work.
 *
 * @param requestTimeout how long a request may take, retries and repairs included
 * @param hedgesPerRead reads that may be hedged, as a share of all reads in the long run
 * @param pauseMax a loop that paused for longer refuses the writes that came meanwhile
 */
public record CoordinatorSettings(
    Duration requestTimeout, double hedgesPerRead, Duration pauseMax) {}
