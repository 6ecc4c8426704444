package dev.kvorum.tracing;

import org.jspecify.annotations.Nullable;

/** Begins spans. Safe for use by many threads; no call blocks but {@link #close}. */
@FunctionalInterface
public interface Tracer extends AutoCloseable {
  /** Records nothing and passes every context on as it came. */
  Tracer NONE = (kind, name, parent) -> parent == null ? Span.NONE : new PropagatedSpan(parent);

  /**
   * Begins a span, which records if the parent is sampled, or if there is none and the tracer
   * begins a trace here.
   *
   * @param name one of a bounded number
   * @param parent whose child it is, if there is one
   */
  Span begin(SpanKind kind, String name, @Nullable TraceContext parent);

  /** What has become of the spans so far. */
  default SpanCounts counts() {
    return SpanCounts.NONE;
  }

  /** Gives what has been recorded a moment to leave. */
  @Override
  default void close() {}
}
