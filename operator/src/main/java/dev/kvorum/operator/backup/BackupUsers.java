package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.job.JobUsers;

/** Builds the user that orders come from where nodes reject those without credentials. */
final class BackupUsers {
  private BackupUsers() {}

  /** The operator stores its token under that name and {@code -token}. */
  static String name(String backup) {
    return backup + "-backup";
  }

  static KvorumUser of(KvorumBackup backup) {
    return JobUsers.administrator(
        BackupJobs.metadata(backup, name(backup.getMetadata().getName())),
        backup.getSpec().cluster());
  }
}
