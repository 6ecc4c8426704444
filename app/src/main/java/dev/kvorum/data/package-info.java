/**
 * What is stored and how it is ordered in time.
 *
 * <p>Read {@link dev.kvorum.data.Key}, {@link dev.kvorum.data.Version}, {@link
 * dev.kvorum.data.Versioned}, {@link dev.kvorum.data.Mutation}, then {@link
 * dev.kvorum.data.HybridLogicalClock}, which gives the versions.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.data;

import org.jspecify.annotations.NullMarked;
