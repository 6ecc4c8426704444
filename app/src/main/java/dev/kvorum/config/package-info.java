/**
 * The settings of a node.
 *
 * <p>Read {@link dev.kvorum.config.KvorumProperties}, every setting with its bounds; {@code
 * NodeSettings}, which converts them to the settings records of the packages; and {@code
 * StrayVariables}, which logs environment variables that look like settings.
 *
 * <p>Imports {@code coordinator}, {@code data}, {@code hints}, {@code http}, {@code
 * http.connection}, {@code membership}, {@code rebalance}, {@code repair.state}, {@code rpc},
 * {@code storage}, {@code storage.engine}, {@code topology}, {@code tracing} and Spring.
 */
@NullMarked
package dev.kvorum.config;

import org.jspecify.annotations.NullMarked;
