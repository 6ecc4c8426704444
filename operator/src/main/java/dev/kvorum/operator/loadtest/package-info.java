/**
 * Load tests: a Job of wrk2 for each rate, one after the other, and what came of it.
 *
 * <p>Built as the operator of clusters is, in small, and in the same order to be read: {@code
 * observe}, {@code plan} (pure), {@code act}, {@code report}; {@code resources} makes the objects.
 * The root package puts them together.
 *
 * <p>Imports nothing: there is only this page here.
 */
@NullMarked
package dev.kvorum.operator.loadtest;

import org.jspecify.annotations.NullMarked;
