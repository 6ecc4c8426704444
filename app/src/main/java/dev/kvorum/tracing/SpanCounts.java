package dev.kvorum.tracing;

/**
 * A tracer's span counters. Spans neither exported nor rejected are queued, or were dropped because
 * the queue was full.
 *
 * @param recorded spans that have ended
 * @param exported spans that the collector accepted
 * @param rejected spans that it did not accept, in time or at all
 */
public record SpanCounts(long recorded, long exported, long rejected) {
  static final SpanCounts NONE = new SpanCounts(0, 0, 0);
}
