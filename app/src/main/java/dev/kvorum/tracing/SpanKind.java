package dev.kvorum.tracing;

/** Which end of a call a span is about. */
public enum SpanKind {
  SERVER,
  CLIENT
}
