/**
 * What users see: the status with its conditions, and Events.
 *
 * <p>Reading order: {@link StatusReport} with {@link StepMessages} (both pure), then {@link
 * Events}.
 *
 * <p>Imports api, observe, plan and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.report;

import org.jspecify.annotations.NullMarked;
