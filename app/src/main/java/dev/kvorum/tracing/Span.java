package dev.kvorum.tracing;

import org.jspecify.annotations.Nullable;

/**
 * One timed step within a trace. Only one thread at a time may use it. Attributes of a span that is
 * not recorded are discarded; check {@link #isRecording} before computing them.
 */
public interface Span {
  /** The span of a request outside any trace. */
  Span NONE = new PropagatedSpan(null);

  /** The context for calls that belong to this step; null outside any trace. */
  @Nullable TraceContext context();

  /** Returns whether the span will be exported. */
  boolean isRecording();

  /** Adds an attribute. */
  Span attribute(String name, String value);

  /** Adds a numeric attribute. */
  Span attribute(String name, long value);

  /**
   * Marks the span as failed.
   *
   * @param error a label from a bounded set
   */
  void failed(String error);

  /** Ends the span; call it once. */
  void end();
}
