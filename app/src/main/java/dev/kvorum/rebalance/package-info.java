/**
 * What a member does while the members change: it copies what it gains, sends what others gain, and
 * lets go of what it keeps no longer ({@code docs/adr/0011}).
 *
 * <p>Read {@link dev.kvorum.rebalance.Rebalance}, the door; {@code Transfer} and {@code SlotCopy},
 * by which records come; {@code TransferServer}, by which they go; and {@code Clearing}.
 *
 * <p>Imports {@code data}, {@code topology}, {@code placement}, {@code replica}, {@code storage},
 * {@code background} and {@code metrics}.
 */
@NullMarked
package dev.kvorum.rebalance;

import org.jspecify.annotations.NullMarked;
