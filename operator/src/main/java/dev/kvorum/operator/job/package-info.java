/**
 * The observed state of a Job and its pod, of load tests and of image checks, as a value.
 *
 * <p>Reading order: {@link dev.kvorum.operator.job.JobView}, {@link
 * dev.kvorum.operator.job.JobReader}.
 *
 * <p>Imports Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.job;

import org.jspecify.annotations.NullMarked;
