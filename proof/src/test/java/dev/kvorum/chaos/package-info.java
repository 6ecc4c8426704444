/**
 * Real processes under faults, with all that their clients saw recorded and checked.
 *
 * <p>Read {@code ChaosRun}, one run from start to verdict; {@code Workload} with {@code
 * LoadClient}, what clients do; {@code Nemesis}, {@code Faults} and {@code Network}, what is done
 * to the nodes; {@code EndState}, whether all copies are equal when it is over; {@code Report}.
 * {@code ChaosIT} runs it for a minute with the other tests, {@code Chaos} by command.
 */
@NullMarked
package dev.kvorum.chaos;

import org.jspecify.annotations.NullMarked;
