package dev.kvorum.hints;

import java.time.Duration;

/**
 * Bounds of hinted handoff.
 *
 * @param pageHints hints read and delivered at a time
 * @param bytesPerSecond most that is sent to one member while it also serves its clients
 * @param ageMax hints older than this are dropped, for anti-entropy repairs so long an absence
 * @param interval how often members that are back are looked for
 * @param timeout how long a member may take for one hint
 */
public record HandoffSettings(
    int pageHints, long bytesPerSecond, Duration ageMax, Duration interval, Duration timeout) {}
