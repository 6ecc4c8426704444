package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.resources.Labels;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;

/** The reconciler of backups. */
@ControllerConfiguration(name = "kvorumbackup")
final class KvorumBackupReconciler extends JobReconciler<KvorumBackup> {
  KvorumBackupReconciler(BackupReconciliation reconciliation, ReconcileGuard guard) {
    super(KvorumBackup.class, Labels.BACKUP, reconciliation::once, guard);
  }
}
