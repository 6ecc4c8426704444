/**
 * Placement of keys on members: pure functions of a topology.
 *
 * <p>Read {@link dev.kvorum.placement.Slots}, which maps a key to one of a fixed number of slots,
 * {@link dev.kvorum.placement.PreferenceList}, then {@link dev.kvorum.placement.SlotMap}, which has
 * one list for each slot, from a {@link dev.kvorum.placement.table.PlacementTable}.
 *
 * <p>Imports {@code data}, {@code placement.table}, {@code topology} and hash4j.
 */
@NullMarked
package dev.kvorum.placement;

import org.jspecify.annotations.NullMarked;
