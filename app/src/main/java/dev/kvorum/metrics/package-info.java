/**
 * Every meter of the node: {@link dev.kvorum.metrics.Meters}, counted and timed as it happens, and
 * {@link dev.kvorum.metrics.PolledMeter}, read when scraped. {@code docs/metrics.md} describes them
 * all, and a test compares the two.
 *
 * <p>Imports Micrometer.
 */
@NullMarked
package dev.kvorum.metrics;

import org.jspecify.annotations.NullMarked;
