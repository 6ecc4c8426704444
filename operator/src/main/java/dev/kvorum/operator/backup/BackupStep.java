package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.BackupReason;
import dev.kvorum.operator.api.BackupResult;
import java.time.Instant;

/**
 * The next step of a backup. Each is at most one write of an object or one of the status, and may
 * be repeated or lost without harm.
 */
public sealed interface BackupStep {
  /** Records the start, and the id that all attempts have. */
  record Begin(String id, String clusterId) implements BackupStep {}

  /** Creates the user that the Job's orders come from. */
  record CreateUser() implements BackupStep {}

  /** Creates the Job. */
  record CreateJob() implements BackupStep {}

  /** Records that the Job has failed, and when another one follows. */
  record Retry(BackupReason reason, String message, Instant at) implements BackupStep {}

  /** Waits for that time. */
  record Pause() implements BackupStep {}

  /** Records that the backup is complete. */
  record Complete(BackupResult result) implements BackupStep {}

  /** Records that there will be no backup. */
  record Fail(BackupReason reason, String message) implements BackupStep {}

  /** Deletes the Job, which may still run although the backup has ended. */
  record RemoveJob() implements BackupStep {}

  /** Deletes the user, whose token may do more than any other. */
  record RemoveUser() implements BackupStep {}

  /**
   * Waits: nothing can be done until the observed state changes.
   *
   * @param trouble whether this is a problem
   */
  record Wait(BackupReason reason, String message, boolean trouble) implements BackupStep {}

  /** The backup has ended or is being deleted. */
  record Rest() implements BackupStep {}
}
