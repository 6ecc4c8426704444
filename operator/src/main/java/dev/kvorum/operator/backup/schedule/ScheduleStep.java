package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus.Verification;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;

/**
 * The next step of a schedule. Each is at most one write of an object or one of the status, and may
 * be repeated or lost without harm.
 */
public sealed interface ScheduleStep {
  /** Creates the backup of a time of the schedule. */
  record CreateBackup(Instant at) implements ScheduleStep {}

  /** Records that the backup of a time was created. */
  record Scheduled(Instant at) implements ScheduleStep {}

  /** Creates the Job that deletes old backups, after this one. */
  record CreatePrune(String after) implements ScheduleStep {}

  /** Deletes the object of a backup that is not in the object store any more, or has failed. */
  record DeleteBackup(KvorumBackup backup) implements ScheduleStep {}

  /**
   * Records how a deletion of old backups has ended.
   *
   * @param after id of the backup after which it ran
   */
  record Pruned(String after, boolean done, String message) implements ScheduleStep {}

  /** Creates the user that requests of a drill come from. */
  record CreateUser() implements ScheduleStep {}

  /** Waits for that user, whom nodes may reject. */
  record AwaitUser(String message) implements ScheduleStep {}

  /** Creates the Job that verifies a backup, at a time of the schedule. */
  record CreateVerify(Instant at, String id) implements ScheduleStep {}

  /** Records a verification that passed. */
  record Verified(Instant at, Verification verification) implements ScheduleStep {}

  /** Records a verification that failed. */
  record NotVerified(Instant at, String message) implements ScheduleStep {}

  /** Deletes a Job that has ended, before the next of its name. */
  record RemoveJob(Job job) implements ScheduleStep {}

  /** Deletes the user, whose token may read all keys. */
  record RemoveUser() implements ScheduleStep {}

  /** Nothing can be done until the observed state changes, or until the next time. */
  record Rest() implements ScheduleStep {}
}
