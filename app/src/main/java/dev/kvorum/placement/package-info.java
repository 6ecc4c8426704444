/**
 * Which members keep a key: pure functions of a topology.
 *
 * <p>Read {@link dev.kvorum.placement.Slots}, which turns a key into one of a fixed number of
 * slots, {@link dev.kvorum.placement.PreferenceList}, then {@link dev.kvorum.placement.SlotMap},
 * which has one for each slot. How they are made: {@link dev.kvorum.placement.Table} lets members
 * join in {@link dev.kvorum.placement.JoinOrder}; a {@link dev.kvorum.placement.Join} prefers slots
 * by {@link dev.kvorum.placement.Rendezvous} weight, within the {@link dev.kvorum.placement.Budget}
 * that {@link dev.kvorum.placement.ZoneRounds} find fair.
 *
 * <p>Imports {@code data}, {@code topology} and hash4j.
 */
@NullMarked
package dev.kvorum.placement;

import org.jspecify.annotations.NullMarked;
