package dev.kvorum.rebalance;

import dev.kvorum.storage.ScanLimits;
import java.time.Duration;

/**
 * Bounds of what a change of the members may cost.
 *
 * @param bytesPerSecondMax most that is read to be sent
 * @param latencyMax reads slower than this, at their 95th percentile, slow it down
 * @param page records and bytes looked at in one go
 * @param window records stored at a time
 * @param timeout how long a member may take for one page
 */
public record RebalanceSettings(
    long bytesPerSecondMax, Duration latencyMax, ScanLimits page, int window, Duration timeout) {}
