package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.resources.Labels;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;

/** The reconciler of schedules of backups, which notices its times by being called periodically. */
@ControllerConfiguration(name = "kvorumbackupschedule")
final class KvorumBackupScheduleReconciler extends JobReconciler<KvorumBackupSchedule> {
  KvorumBackupScheduleReconciler(
      BackupScheduleReconciliation reconciliation, ReconcileGuard guard) {
    super(KvorumBackupSchedule.class, Labels.SCHEDULE, reconciliation::once, guard);
  }
}
