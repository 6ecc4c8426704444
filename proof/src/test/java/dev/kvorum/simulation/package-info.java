/**
 * A complete cluster on one thread in virtual time, from one seed: real node cores and stores over
 * a simulated network, a modelled key-value engine and simulated clocks, with clients that check
 * them during faults.
 *
 * <p>Read {@code Simulation}, one run from its faults to its end; {@code Convergence}, when
 * replicas are equal; {@code Simulate} and {@code Tally}, many seeds.
 *
 * <p>A subpackage imports only those that come before it: {@code storage}, {@code run}, {@code
 * network}, {@code cluster}, {@code clients}, {@code operators}, {@code faults}. This package
 * imports them all, and {@code mutants} imports this one.
 */
@NullMarked
package dev.kvorum.simulation;

import org.jspecify.annotations.NullMarked;
