/**
 * All meters of the node: {@link dev.kvorum.metrics.Meters}, counted and timed as events occur, and
 * {@link dev.kvorum.metrics.PolledMeter}, polled at each scrape. {@code docs/metrics.md} describes
 * them all, and a test compares the two.
 *
 * <p>Imports Micrometer.
 */
@NullMarked
package dev.kvorum.metrics;

import org.jspecify.annotations.NullMarked;
