package dev.kvorum.tracing;

/**
 * A tracer's span counters. Spans neither exported nor refused are queued, or were dropped because
 * the queue was full.
 *
 * @param recorded spans that have ended
 * @param exported spans that the collector accepted
 * @param refused spans that it did not accept, in time or at all
 */
public record SpanCounts(long recorded, long exported, long refused) {
  static final SpanCounts NONE = new SpanCounts(0, 0, 0);
}
