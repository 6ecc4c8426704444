/**
 * Every meter of the node, in one file: {@link dev.kvorum.metrics.Meters}.
 *
 * <p>Imports Micrometer only.
 */
@NullMarked
package dev.kvorum.metrics;

import org.jspecify.annotations.NullMarked;
