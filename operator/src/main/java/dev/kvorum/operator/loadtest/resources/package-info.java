/**
 * The desired objects of a load test: the scripts, a user where one is needed, and a Job for the
 * fill and for each rate.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.resources.LoadLabels}, {@link
 * dev.kvorum.operator.loadtest.resources.LoadScripts}, {@link
 * dev.kvorum.operator.loadtest.resources.LoadUsers}, {@link
 * dev.kvorum.operator.loadtest.resources.LoadJobs}.
 *
 * <p>Imports api and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.loadtest.resources;

import org.jspecify.annotations.NullMarked;
