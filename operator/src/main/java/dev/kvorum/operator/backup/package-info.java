/**
 * Backups of clusters: each is a Job with the command {@code kvorum-backup create}, which orders
 * the nodes and writes the manifest (ADR 0043).
 *
 * <p>Reading order: {@link dev.kvorum.operator.backup.BackupObserved}, the state; {@link
 * dev.kvorum.operator.backup.BackupPlanner} with {@link dev.kvorum.operator.backup.BackupStep}
 * (pure); {@link dev.kvorum.operator.backup.BackupJobs}; {@link
 * dev.kvorum.operator.backup.BackupStatusReport}.
 *
 * <p>Imports act, api, job, resources, Fabric8 and Jackson.
 */
@NullMarked
package dev.kvorum.operator.backup;

import org.jspecify.annotations.NullMarked;
