/**
 * Placement of slots on members: a pure function of the members' names and zones, for nodes and for
 * the operator's forecasts.
 *
 * <p>In {@link dev.kvorum.placement.table.PlacementTable}, members join in {@link
 * dev.kvorum.placement.table.JoinOrder}. A {@link dev.kvorum.placement.table.Join} prefers slots by
 * {@link dev.kvorum.placement.table.Rendezvous} weight, within the {@link
 * dev.kvorum.placement.table.Budget} that {@link dev.kvorum.placement.table.ZoneRounds} compute as
 * fair.
 *
 * <p>Imports hash4j.
 */
@NullMarked
package dev.kvorum.placement.table;

import org.jspecify.annotations.NullMarked;
