package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumBackup;
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
 * The reconciler that the Java Operator SDK calls for a backup. It runs one reconciliation when the
 * backup, its Job or its pod changes, and periodically.
 */
@ControllerConfiguration(name = "kvorumbackup")
final class KvorumBackupReconciler implements Reconciler<KvorumBackup> {
  private final BackupReconciliation reconciliation;
  private final ReconcileGuard looks;

  KvorumBackupReconciler(BackupReconciliation reconciliation, ReconcileGuard looks) {
    this.reconciliation = reconciliation;
    this.looks = looks;
  }

  @Override
  public List<EventSource<?, KvorumBackup>> prepareEventSources(
      EventSourceContext<KvorumBackup> context) {
    looks.follow(context.getPrimaryCache());
    return JobSources.of(KvorumBackup.class, Labels.BACKUP, context);
  }

  @Override
  public UpdateControl<KvorumBackup> reconcile(KvorumBackup backup, Context<KvorumBackup> context) {
    String namespace = backup.getMetadata().getNamespace();
    String name = backup.getMetadata().getName();
    Duration next = looks.take(name, () -> reconciliation.once(namespace, name));
    return UpdateControl.<KvorumBackup>noUpdate().rescheduleAfter(next);
  }
}
