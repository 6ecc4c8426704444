/**
 * Placement of keys on members: pure functions of a topology.
 *
 * <p>Read {@link dev.kvorum.placement.Slots}, which maps a key to one of a fixed number of slots,
 * {@link dev.kvorum.placement.PreferenceList}, then {@link dev.kvorum.placement.SlotMap}, which has
 * one list for each slot. They are built as follows. In {@link dev.kvorum.placement.Table}, members
 * join in {@link dev.kvorum.placement.JoinOrder}. A {@link dev.kvorum.placement.Join} prefers slots
 * by {@link dev.kvorum.placement.Rendezvous} weight, within the {@link dev.kvorum.placement.Budget}
 * that {@link dev.kvorum.placement.ZoneRounds} compute as fair.
 *
 * <p>Imports {@code data}, {@code topology} and hash4j.
 */
@NullMarked
package dev.kvorum.placement;

import org.jspecify.annotations.NullMarked;
