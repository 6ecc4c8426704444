/**
 * Keys, records and versions, and the clock that orders them.
 *
 * <p>Read {@link dev.kvorum.data.Key}, {@link dev.kvorum.data.Version}, {@link
 * dev.kvorum.data.Versioned}, {@link dev.kvorum.data.Mutation}, then {@link
 * dev.kvorum.data.HybridLogicalClock}, which issues the versions.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.data;

import org.jspecify.annotations.NullMarked;
