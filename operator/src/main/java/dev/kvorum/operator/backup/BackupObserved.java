package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupStatus;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.Optional;

/**
 * The observed state of a backup and everything that it depends on, at one moment.
 *
 * @param now the time at which this was read
 * @param cluster the cluster of that name, if there is one
 * @param rival the backup of the same cluster that goes first, if any
 * @param user the user that orders come from
 * @param object the Job as it was read
 * @param userObject the user as it was read, if it is the backup's own
 */
public record BackupObserved(
    Instant now,
    KvorumBackup backup,
    Optional<KvorumCluster> cluster,
    Optional<String> rival,
    JobUser user,
    JobView job,
    Optional<Job> object,
    Optional<KvorumUser> userObject) {
  String name() {
    return backup.getMetadata().getName();
  }

  KvorumBackupStatus status() {
    return backup.known();
  }

  boolean isDeleting() {
    return backup.getMetadata().getDeletionTimestamp() != null;
  }
}
