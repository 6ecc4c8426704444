/**
 * Operators that change the members of a simulated cluster.
 *
 * <p>Read {@code SimOperator}, which makes changes at random; {@code StagedOperator} with {@code
 * ChangeScenes}, which plays scenes in each step of a change; {@code PlannedOperator}, in which the
 * planner of the real operator decides each step. What that one reads and writes are {@code
 * KubeObjects} and {@code SimPods}.
 */
@NullMarked
package dev.kvorum.simulation.operators;

import org.jspecify.annotations.NullMarked;
