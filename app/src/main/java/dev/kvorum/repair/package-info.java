/**
 * Repair brings replicas to the same records and keeps them there.
 *
 * <p>{@link dev.kvorum.repair.Repair} is the entry: it owns a member's repair state and starts
 * {@code antientropy}, which compares and repairs replicas, and {@code rebuild}, which refills a
 * store that lost its records, by {@code salvage} from corrupted stores too. {@code state} is what
 * both persist. {@link dev.kvorum.repair.RepairReport} is what users see.
 *
 * <p>Imports {@code background}, {@code data}, {@code repair.antientropy}, {@code repair.rebuild},
 * {@code repair.state}, {@code replica}, {@code storage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.repair;

import org.jspecify.annotations.NullMarked;
