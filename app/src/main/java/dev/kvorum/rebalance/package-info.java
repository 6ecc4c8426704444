/**
 * A member's part in a membership change: it copies the slots it gains, sends those that others
 * gain, and removes those it no longer owns (ADR 0011).
 *
 * <p>Read {@link dev.kvorum.rebalance.Rebalance}, the entry; {@code Transfer} and {@code
 * TransferStream}, the receiving side; {@code TransferServer}, the sending side; and {@code
 * Cleanup}.
 *
 * <p>Imports {@code background}, {@code data}, {@code placement}, {@code replica}, {@code
 * settings}, {@code storage}, {@code topology} and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.rebalance;

import org.jspecify.annotations.NullMarked;
