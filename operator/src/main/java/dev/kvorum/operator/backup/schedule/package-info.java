/**
 * Schedules of backups: each creates backups at its times, deletes old ones by a Job with {@code
 * kvorum-backup prune}, and verifies the newest by one with {@code kvorum-backup verify}.
 *
 * <p>Reading order: {@link dev.kvorum.operator.backup.schedule.ScheduleObserved}, the state; {@link
 * dev.kvorum.operator.backup.schedule.SchedulePlanner} with {@link
 * dev.kvorum.operator.backup.schedule.ScheduleStep} (pure); {@link
 * dev.kvorum.operator.backup.schedule.ScheduleJobs}; {@link
 * dev.kvorum.operator.backup.schedule.ScheduleStatusReport}.
 *
 * <p>Imports act, api, backup, job, resources, Fabric8, Jackson and cron-utils.
 */
@NullMarked
package dev.kvorum.operator.backup.schedule;

import org.jspecify.annotations.NullMarked;
