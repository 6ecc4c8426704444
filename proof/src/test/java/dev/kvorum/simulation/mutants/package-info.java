/**
 * Clusters that are broken on purpose, to test the simulation and the unit tests.
 *
 * <p>Read {@code Defect} and its enums, from {@code Mutant}, the components, to {@code
 * ClockMutant}, the rules of one ADR; {@code Hunt}, the search for the run that catches one; {@code
 * Hunts} with {@code CatchingSeeds}, which record its seed; {@code Patch} and {@code
 * PatchedClasses}, which give production methods other bodies; {@code UnitMutant}, what unit tests
 * find instead of a run. The {@code Broken} classes are what takes a component's place.
 */
@NullMarked
package dev.kvorum.simulation.mutants;

import org.jspecify.annotations.NullMarked;
