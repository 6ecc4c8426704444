package dev.kvorum.tracing;

import java.time.Duration;

/**
 * How the spans of one node are exported.
 *
 * @param closeMax longest wait of a stopping node for the collector to take the queued spans
 * @param cluster display name of the cluster
 * @param member name of the node
 */
public record ExportSettings(
    TracingSettings tracing, Duration closeMax, String cluster, String member) {}
