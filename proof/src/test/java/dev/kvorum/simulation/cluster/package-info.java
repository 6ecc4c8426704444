/**
 * Simulated machines with real node cores.
 *
 * <p>Read {@code SimCluster}, all of them with their network; {@code SimNode}, a machine with its
 * disk and its {@code SimClock}; {@code SimProcess}, a node core on it; {@code MembersOperator},
 * what decides on the members; {@code Breakage}, where a component can be replaced by a broken one.
 */
@NullMarked
package dev.kvorum.simulation.cluster;

import org.jspecify.annotations.NullMarked;
