package dev.kvorum.http;

import java.time.Duration;

/**
 * Limits of the public API.
 *
 * @param valueBytesMax largest value in bytes
 * @param discardBytesMax largest part of a rejected body, in bytes, that is read and dropped to
 *     keep its connection open
 * @param bodyTimeout longest time for a client to send a value
 * @param stallTimeout longest time in which a client may read nothing of a large value
 * @param replication default for {@code from}
 * @param diskFreeBytesMin free bytes of the disk below which a PUT is rejected
 */
public record HttpSettings(
    long valueBytesMax,
    long discardBytesMax,
    Duration bodyTimeout,
    Duration stallTimeout,
    int replication,
    long diskFreeBytesMin) {}
