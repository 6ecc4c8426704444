package dev.kvorum.http;

import java.time.Duration;

/**
 * Bounds of the public API.
 *
 * @param valueBytesMax largest value
 * @param discardBytesMax how much of a refused body is read and dropped to keep its connection
 * @param bodyTimeout how long a client may take to send a value
 * @param stallTimeout how long a client may take nothing of a large value
 * @param replication default for {@code from}
 */
public record HttpSettings(
    long valueBytesMax,
    long discardBytesMax,
    Duration bodyTimeout,
    Duration stallTimeout,
    int replication) {}
