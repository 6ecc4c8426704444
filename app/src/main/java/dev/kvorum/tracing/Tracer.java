package dev.kvorum.tracing;

import org.jspecify.annotations.Nullable;

/** Starts spans. Safe for use by many threads; only {@link #close} blocks. */
@FunctionalInterface
public interface Tracer extends AutoCloseable {
  /** Records nothing and passes every context on unchanged. */
  Tracer NONE = (kind, name, parent) -> parent == null ? Span.NONE : new PropagatedSpan(parent);

  /**
   * Starts a span. It is recorded if the parent is sampled, or if there is no parent and the tracer
   * starts a trace here.
   *
   * @param name a name from a bounded set
   * @param parent the parent's context, or null
   */
  Span begin(SpanKind kind, String name, @Nullable TraceContext parent);

  /** Counts of the spans so far. */
  default SpanCounts counts() {
    return SpanCounts.NONE;
  }

  /** Waits for a short time until the recorded spans are exported. */
  @Override
  default void close() {}
}
