/**
 * What users see of a cluster: its status with conditions, and Events.
 *
 * <p>Reading order: {@link StatusReport} with {@link StepMessages} (both pure), then {@link
 * Events}.
 *
 * <p>Imports api, view, plan, resources and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.report;

import org.jspecify.annotations.NullMarked;
