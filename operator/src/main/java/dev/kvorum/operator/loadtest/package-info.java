/**
 * Load tests: one wrk2 Job for each rate, one after the other, and their results.
 *
 * <p>The structure and the reading order are those of the operator for clusters, on a smaller
 * scale: {@code observe}, {@code plan} (pure), {@code act}, {@code report}; {@code resources}
 * builds the objects. The root package assembles them.
 *
 * <p>Imports nothing: the package has only this page.
 */
@NullMarked
package dev.kvorum.operator.loadtest;

import org.jspecify.annotations.NullMarked;
