/**
 * What to do next: pure functions from what is there to one step.
 *
 * <p>Reading order: {@link Step}, {@link ClusterPlanner} (the order of precedence), then one file
 * per verb: {@link BootstrapPlanner}, {@link VolumePlanner}, {@link StatefulSetPlanner}, {@link
 * RolloutPlanner}, {@link ScalePlanner}; {@link Health} answers what they ask about members.
 *
 * <p>Imports api and observe's views; no Fabric8 client, no clock, no logger.
 */
@NullMarked
package dev.kvorum.operator.plan;

import org.jspecify.annotations.NullMarked;
