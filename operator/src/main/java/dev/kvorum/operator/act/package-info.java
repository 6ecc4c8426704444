/**
 * Execution of a step: one write to the API, compared with the version that was read.
 *
 * <p>Reading order: {@link StepExecutor}, {@link Writes} (the interface of all writes) and {@link
 * KubernetesWrites} behind it.
 *
 * <p>Imports api, observe, plan, resources and Fabric8.
 */
@NullMarked
package dev.kvorum.operator.act;

import org.jspecify.annotations.NullMarked;
