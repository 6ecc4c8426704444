/**
 * The observed state of a Job, its pod and its user, of load tests, backups and image checks.
 *
 * <p>Reading order: {@link dev.kvorum.operator.job.JobView}, {@link
 * dev.kvorum.operator.job.JobReader}.
 *
 * <p>Imports api, resources and Fabric8.
 */
@NullMarked
package dev.kvorum.operator.job;

import org.jspecify.annotations.NullMarked;
