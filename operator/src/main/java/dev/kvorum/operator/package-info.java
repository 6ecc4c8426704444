/**
 * The operator: it makes clusters what their owners ask for, one step at a time.
 *
 * <p>Reading order: {@link Reconciliation} (observe, plan, act, report), the packages in that
 * order, then the shell around it: {@link KvorumClusterReconciler} and {@link KvorumOperator}. Load
 * tests have the same in small: {@link LoadTestReconciliation} and the packages in {@code
 * loadtest}.
 *
 * <p>Imports everything; nobody imports it.
 */
@NullMarked
package dev.kvorum.operator;

import org.jspecify.annotations.NullMarked;
