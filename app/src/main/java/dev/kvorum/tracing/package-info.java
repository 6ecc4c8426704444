/**
 * Which trace a request belongs to, and the spans that a node adds to it.
 *
 * <p>Read {@link dev.kvorum.tracing.TraceContext}, what travels with a request; {@link
 * dev.kvorum.tracing.Tracer} and {@link dev.kvorum.tracing.Span}, the only part of tracing that the
 * rest of a node uses; then {@link dev.kvorum.tracing.OpenTelemetryTracer}, which exports spans
 * where a collector is set. None of OpenTelemetry's classes is loaded where there is none.
 *
 * <p>Imports {@code settings}, OpenTelemetry and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.tracing;

import org.jspecify.annotations.NullMarked;
