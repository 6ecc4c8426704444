package dev.kvorum.coordinator;

import java.time.Duration;

/**
 * Bounds of the work for a range.
 *
 * @param replication copies of a record whose writer did not set a number
 * @param pageRecords most records of a member's page, and of what is handed on at once
 * @param pageBytes most bytes of them; a larger record comes alone
 * @param pageTimeout how long a member may take for a page, retries included
 */
public record RangeSettings(
    int replication, int pageRecords, int pageBytes, Duration pageTimeout) {}
