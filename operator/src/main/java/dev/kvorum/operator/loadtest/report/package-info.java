/**
 * What users see of a load test: its status with conditions, and Events.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.report.LoadStatusReport} with {@link
 * dev.kvorum.operator.loadtest.report.LoadMessages} (both pure), then {@link
 * dev.kvorum.operator.loadtest.report.LoadEvents}.
 *
 * <p>Imports api, loadtest.observe, loadtest.plan and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.loadtest.report;

import org.jspecify.annotations.NullMarked;
