/**
 * Planning: pure functions from the observed state of a load test to its next step.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.plan.LoadStep}, {@link
 * dev.kvorum.operator.loadtest.plan.LoadPlanner} with {@link
 * dev.kvorum.operator.loadtest.plan.LoadReadiness}, then {@link
 * dev.kvorum.operator.loadtest.plan.Knee} and {@link dev.kvorum.operator.loadtest.plan.Wrk2Units}.
 *
 * <p>Imports api, job, loadtest.observe and, for the names of Jobs, loadtest.resources.
 */
@NullMarked
package dev.kvorum.operator.loadtest.plan;

import org.jspecify.annotations.NullMarked;
