package dev.kvorum.tracing;

/** The side of a call that a span describes. */
public enum SpanKind {
  SERVER,
  CLIENT
}
