/**
 * Planning: pure functions from the observed state to the next step.
 *
 * <p>Reading order: {@link Step}, {@link ClusterPlanner} (the order of precedence), then one
 * planner per task: {@link BootstrapPlanner}, {@link VolumePlanner}, {@link ImagePlanner}, {@link
 * StatefulSetPlanner}, {@link RolloutPlanner}, {@link RollbackPlanner}, {@link ScalePlanner},
 * {@link ZonePlanner}, {@link RemovalPlanner}; {@link Health} has their checks of members. {@link
 * ReachabilityPlanner} stands apart: it is asked twice a second. So does {@link ScalePreview},
 * which plans nothing but reports what another number of members would change.
 *
 * <p>Imports api, view and placement.table; no Fabric8 client, no clock, no logger.
 */
@NullMarked
package dev.kvorum.operator.plan;

import org.jspecify.annotations.NullMarked;
