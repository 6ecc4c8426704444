package dev.kvorum.repair.state;

import dev.kvorum.repair.rebuild.Rebuild;
import java.time.Duration;

/**
 * Bounds of anti-entropy, of rebuilding and of the cleanup along with it.
 *
 * @param replication copies of a record whose writer did not set a number; see {@link Rebuild}
 * @param interval how often a member compares itself with each other one
 * @param settle age at which a write is no longer under way; only what is older is compared
 * @param granularity cuts are multiples of this, so that members agree on them
 * @param tombstoneAgeMin for how long a tombstone outlives its comparison with all members
 * @param horizon a member that has not compared itself for longer has to start again
 * @param timeout how long a member may take for one answer
 * @param retryMax longest pause before a comparison that failed is tried again
 * @param bytesPerSecondMax most that is read and fetched in the background
 * @param latencyMax reads slower than this, at their 95th percentile, slow repair down
 * @param pageRecords records looked at in one go
 * @param pageBytes their bytes
 * @param window records fetched or written at a time
 * @param classesMax distinct numbers of copies with a tree of their own, each in up to 8 MB of
 *     memory
 * @param droppedMax dropped copies that are cached for a while, each with its key
 */
public record RepairSettings(
    int replication,
    Duration interval,
    Duration settle,
    Duration granularity,
    Duration tombstoneAgeMin,
    Duration horizon,
    Duration timeout,
    Duration retryMax,
    long bytesPerSecondMax,
    Duration latencyMax,
    int pageRecords,
    int pageBytes,
    int window,
    int classesMax,
    int droppedMax) {}
