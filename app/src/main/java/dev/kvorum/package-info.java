/**
 * The node as a whole. {@link dev.kvorum.Node} puts the parts together without Spring; {@link
 * dev.kvorum.KvorumApplication} is the shell around it, {@code Wiring} its only configuration and
 * {@link dev.kvorum.KvorumProperties} every setting.
 *
 * <p>A request walks down {@code http}, {@code coordinator}, {@code replica}, {@code storage}; the
 * map walks across {@code membership}, {@code topology}, {@code placement}.
 *
 * <p>Imports everything; nobody imports it.
 */
@NullMarked
package dev.kvorum;

import org.jspecify.annotations.NullMarked;
