package dev.kvorum.hints;

import java.time.Duration;

/**
 * Limits of hinted handoff.
 *
 * @param pageHints hints read and delivered at a time
 * @param bytesPerSecond largest rate to one member while it also serves its clients
 * @param ageMax hints older than this are dropped; anti-entropy repairs such long absences
 * @param interval interval at which hints are pushed to members that are reachable again
 * @param timeout longest time for a member to store one hint
 */
public record HandoffSettings(
    int pageHints, long bytesPerSecond, Duration ageMax, Duration interval, Duration timeout) {}
