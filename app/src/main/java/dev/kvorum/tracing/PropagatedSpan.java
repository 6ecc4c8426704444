package dev.kvorum.tracing;

import org.jspecify.annotations.Nullable;

/**
 * A span that is not recorded: calls carry the incoming context unchanged.
 *
 * @param context the incoming context, or null
 */
record PropagatedSpan(@Nullable TraceContext context) implements Span {
  @Override
  public boolean isRecording() {
    return false;
  }

  @Override
  public Span attribute(String name, String value) {
    return this;
  }

  @Override
  public Span attribute(String name, long value) {
    return this;
  }

  @Override
  public void failed(String error) {}

  @Override
  public void end() {}
}
