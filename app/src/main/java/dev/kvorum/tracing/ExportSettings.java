package dev.kvorum.tracing;

import java.time.Duration;

/**
 * Where spans go, and how many.
 *
 * @param endpoint an OTLP/HTTP URL for traces
 * @param sample share of the requests without a parent that begin a trace, 0 to 1
 * @param queueMax spans that wait for the collector; more are dropped
 * @param closeMax how long a node that stops waits for the collector to take the rest
 * @param cluster of the node
 * @param member that the node is
 */
public record ExportSettings(
    String endpoint,
    double sample,
    int queueMax,
    Duration closeMax,
    String cluster,
    String member) {}
