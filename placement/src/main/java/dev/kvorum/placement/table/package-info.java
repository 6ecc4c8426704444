/**
 * Placement of slots on members: a pure function of the members' names and zones, for nodes and for
 * the operator's forecasts.
 *
 * <p>Read {@link dev.kvorum.placement.table.PlacementTable}, which describes the algorithm; {@link
 * dev.kvorum.placement.table.SeatAssignment}, one join of it, with {@link
 * dev.kvorum.placement.table.Budget} and {@link dev.kvorum.placement.table.ZoneRounds}.
 *
 * <p>Imports hash4j.
 */
@NullMarked
package dev.kvorum.placement.table;

import org.jspecify.annotations.NullMarked;
