/**
 * Brings replicas that were away back to where the others are: {@link
 * dev.kvorum.repair.HintedHandoff}.
 *
 * <p>Imports {@code data}, {@code topology}, {@code replica}, {@code storage} and {@code metrics}.
 */
@NullMarked
package dev.kvorum.repair;

import org.jspecify.annotations.NullMarked;
