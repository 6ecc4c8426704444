/**
 * Trace contexts of requests, and the spans that a node adds to a trace.
 *
 * <p>Read {@link dev.kvorum.tracing.TraceContext}, which accompanies a request; {@link
 * dev.kvorum.tracing.Tracer} and {@link dev.kvorum.tracing.Span}, the only part of tracing that the
 * rest of a node uses; then {@link dev.kvorum.tracing.OpenTelemetryTracer}, which exports spans if
 * a collector is configured. Without a collector, none of OpenTelemetry's classes is loaded.
 *
 * <p>Imports {@code settings}, OpenTelemetry and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.tracing;

import org.jspecify.annotations.NullMarked;
