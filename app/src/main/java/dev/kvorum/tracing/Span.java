package dev.kvorum.tracing;

import org.jspecify.annotations.Nullable;

/**
 * A piece of work within a trace. Only one thread at a time may use it; attributes of a span that
 * does not record go nowhere, so that a caller that has to compute them asks first.
 */
public interface Span {
  /** The span of a request that belongs to no trace. */
  Span NONE = new PropagatedSpan(null);

  /** What goes with the calls that this work needs; nothing where there is no trace. */
  @Nullable TraceContext context();

  /** Whether anybody will see it. */
  boolean isRecording();

  /** Says something of the work. */
  Span attribute(String name, String value);

  /** Says how many or how much. */
  Span attribute(String name, long value);

  /**
   * Says that the work failed.
   *
   * @param error one of a bounded number of words
   */
  void failed(String error);

  /** Ends it; to be called once. */
  void end();
}
