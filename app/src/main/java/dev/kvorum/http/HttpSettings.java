package dev.kvorum.http;

/**
 * Bounds of the public API.
 *
 * @param valueBytesMax largest value
 * @param discardBytesMax how much of a refused body is read and dropped to keep its connection
 * @param replication default for {@code from}
 */
public record HttpSettings(long valueBytesMax, long discardBytesMax, int replication) {}
