package dev.kvorum.tracing;

/**
 * What has become of a tracer's spans so far. Those that are neither exported nor refused wait, or
 * were dropped for want of room in the queue.
 *
 * @param recorded that have ended
 * @param exported that the collector took
 * @param refused that it did not take, in time or at all
 */
public record SpanCounts(long recorded, long exported, long refused) {
  static final SpanCounts NONE = new SpanCounts(0, 0, 0);
}
