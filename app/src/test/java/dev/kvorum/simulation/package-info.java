/**
 * A complete cluster on one thread in virtual time, from one seed: real node cores and stores over
 * a simulated network, a modelled key-value engine and simulated clocks, with clients that check
 * them during faults.
 *
 * <p>Read {@code Simulation}, one run; {@code Profile}, what its seed decides; {@code Invariants},
 * what must never happen; then {@code SimNode}, {@code SimNetwork}, {@code SimEngine} and {@code
 * Faults}. {@code Simulate} runs many seeds, {@code Breakage} lists what is broken on purpose to
 * test the tests, {@code UnitMutant} what unit tests find instead of a run.
 */
@NullMarked
package dev.kvorum.simulation;

import org.jspecify.annotations.NullMarked;
