/**
 * Observation: a load test, its target, its Jobs and their pods, and their results, as values.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.observe.LoadObserved} with {@link
 * dev.kvorum.operator.view.JobView} and {@link dev.kvorum.operator.job.JobUser}, then {@link
 * dev.kvorum.operator.loadtest.observe.LoadObserver}, which fills them.
 *
 * <p>Imports api, job, loadtest.resources, Fabric8 and Jackson.
 */
@NullMarked
package dev.kvorum.operator.loadtest.observe;

import org.jspecify.annotations.NullMarked;
