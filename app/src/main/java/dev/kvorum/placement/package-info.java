/**
 * Which members keep a key: pure functions of a topology.
 *
 * <p>Read {@link dev.kvorum.placement.Slots}, which turns a key into one of a fixed number of
 * slots, then {@link dev.kvorum.placement.SlotMap}, which orders the members for each slot.
 *
 * <p>Imports {@code data}, {@code topology} and the hash library.
 */
@NullMarked
package dev.kvorum.placement;

import org.jspecify.annotations.NullMarked;
