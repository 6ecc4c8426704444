/**
 * The settings of a node.
 *
 * <p>Read {@link dev.kvorum.config.KvorumProperties}, the root of all settings, whose groups are
 * declared here or, as {@code …Settings}, in the packages that use them; {@code NodeSettings},
 * which hands them to the packages; {@code SettingNames}; and {@code StrayVariables}, which finds
 * environment variables that look like settings.
 *
 * <p>Imports {@code audit}, {@code auth}, {@code auth.serviceaccount}, {@code backup}, {@code
 * backup.manifest}, {@code coordinator}, {@code data}, {@code hints}, {@code http}, {@code
 * http.connection}, {@code membership}, {@code rebalance}, {@code repair.state}, {@code rpc},
 * {@code security}, {@code settings}, {@code storage.engine}, {@code topology}, {@code tracing} and
 * Spring.
 */
@NullMarked
package dev.kvorum.config;

import org.jspecify.annotations.NullMarked;
