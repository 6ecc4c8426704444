package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.resources.Labels;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;

/**
 * The reconciler that the Java Operator SDK calls for a schedule of backups: when it, its Jobs or
 * their pods change, and periodically, by which it notices its times.
 */
@ControllerConfiguration(name = "kvorumbackupschedule")
final class KvorumBackupScheduleReconciler implements Reconciler<KvorumBackupSchedule> {
  private final BackupScheduleReconciliation reconciliation;
  private final ReconcileGuard looks;

  KvorumBackupScheduleReconciler(
      BackupScheduleReconciliation reconciliation, ReconcileGuard looks) {
    this.reconciliation = reconciliation;
    this.looks = looks;
  }

  @Override
  public List<EventSource<?, KvorumBackupSchedule>> prepareEventSources(
      EventSourceContext<KvorumBackupSchedule> context) {
    looks.follow(context.getPrimaryCache());
    return JobSources.of(KvorumBackupSchedule.class, Labels.SCHEDULE, context);
  }

  @Override
  public UpdateControl<KvorumBackupSchedule> reconcile(
      KvorumBackupSchedule schedule, Context<KvorumBackupSchedule> context) {
    String namespace = schedule.getMetadata().getNamespace();
    String name = schedule.getMetadata().getName();
    Duration next = looks.take(name, () -> reconciliation.once(namespace, name));
    return UpdateControl.<KvorumBackupSchedule>noUpdate().rescheduleAfter(next);
  }
}
