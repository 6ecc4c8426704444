package dev.kvorum.backup;

import java.time.Duration;

/**
 * Who makes a part of a backup.
 *
 * @param cluster id of the cluster
 * @param incarnation of the data directory, in hexadecimal digits
 * @param tombstoneAgeMin how long it keeps a tombstone that all members have
 */
public record BackupMember(
    String cluster, String name, String incarnation, Duration tombstoneAgeMin) {}
