/**
 * A whole cluster on one thread in virtual time, from one seed: real node cores over a simulated
 * network, simulated disks and simulated clocks, with clients that watch them through faults.
 *
 * <p>Read {@code Simulation}, one run; {@code Profile}, what its seed decides; {@code Nevers}, what
 * must never happen; then {@code SimNode}, {@code SimNetwork}, {@code SimStore} and {@code Faults}.
 * {@code Simulate} runs many seeds, {@code Breakage} lists what is broken on purpose to test the
 * tests.
 */
@NullMarked
package dev.kvorum.simulation;

import org.jspecify.annotations.NullMarked;
