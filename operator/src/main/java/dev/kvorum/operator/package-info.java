/**
 * The operator: it brings clusters to the state that their specs describe, one step at a time.
 *
 * <p>Reading order: {@link Reconciliation} (observe, plan, act, report), the packages in that
 * order, then the process around it: {@link KvorumClusterReconciler} and {@link KvorumOperator}.
 * {@link ReachabilityWatch} sets the readiness gates of pods in between. Load tests have the same
 * structure on a smaller scale: {@link LoadTestReconciliation} and the packages in {@code
 * loadtest}.
 *
 * <p>Imports all other packages; no other package imports it.
 */
@NullMarked
package dev.kvorum.operator;

import org.jspecify.annotations.NullMarked;
