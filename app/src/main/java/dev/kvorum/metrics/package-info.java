/**
 * Every meter of the node: {@link dev.kvorum.metrics.Meters}, what is counted and timed as it
 * happens, and {@link dev.kvorum.metrics.Figure}, what is looked up when somebody asks. {@code
 * docs/metrics.md} describes them all, and a test holds it to that.
 *
 * <p>Imports Micrometer only.
 */
@NullMarked
package dev.kvorum.metrics;

import org.jspecify.annotations.NullMarked;
