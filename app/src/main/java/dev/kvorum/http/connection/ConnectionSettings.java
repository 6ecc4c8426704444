package dev.kvorum.http.connection;

import java.time.Duration;

/**
 * Limits of client connections.
 *
 * @param connectionsMax largest number of open connections
 * @param pipelinedRequestsMax largest number of unanswered requests per connection; one more closes
 *     it
 * @param discardBytesMax largest part of a rejected body, in bytes, that is read and dropped to
 *     keep its connection open
 * @param idleTimeout longest time without a complete request or progress of a response
 * @param overloadPauseMax longest time in which nothing is read from a connection whose requests
 *     are rejected because this node is overloaded
 */
public record ConnectionSettings(
    int connectionsMax,
    int pipelinedRequestsMax,
    long discardBytesMax,
    Duration idleTimeout,
    Duration overloadPauseMax) {}
