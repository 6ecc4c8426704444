package dev.kvorum.http.connection;

import java.time.Duration;

/**
 * Bounds of clients' connections.
 *
 * @param connectionsMax connections at a time
 * @param pipelinedRequestsMax requests that a connection may have unanswered; one more ends it
 * @param discardBytesMax how much of a rejected body is read and dropped to keep its connection
 * @param idleTimeout how long a connection may be without a complete request or a response being
 *     read
 */
public record ConnectionSettings(
    int connectionsMax, int pipelinedRequestsMax, long discardBytesMax, Duration idleTimeout) {}
