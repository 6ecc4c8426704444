/**
 * The observed state of Jobs, their pods and users; and the Jobs of the command {@code
 * kvorum-backup}.
 *
 * <p>Reading order: {@link dev.kvorum.operator.job.JobReader}, {@link
 * dev.kvorum.operator.job.OwnedJobs}, {@link dev.kvorum.operator.job.CommandJobs}.
 *
 * <p>Imports api, view, resources, Fabric8 and Jackson.
 */
@NullMarked
package dev.kvorum.operator.job;

import org.jspecify.annotations.NullMarked;
