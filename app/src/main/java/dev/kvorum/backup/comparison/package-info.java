/**
 * Compares the records of a cluster that was restored with those of the cluster that was backed up,
 * both read by range requests in the order of their keys.
 *
 * <p>Imports {@code backup}, {@code cli}, {@code data} and Jackson.
 */
@NullMarked
package dev.kvorum.backup.comparison;

import org.jspecify.annotations.NullMarked;
