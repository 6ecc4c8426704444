package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.backup.schedule.ScheduleActor;
import dev.kvorum.operator.backup.schedule.ScheduleObserved;
import dev.kvorum.operator.backup.schedule.ScheduleObserver;
import dev.kvorum.operator.backup.schedule.SchedulePlanner;
import dev.kvorum.operator.backup.schedule.ScheduleStatusReport;
import dev.kvorum.operator.backup.schedule.ScheduleStep;
import dev.kvorum.operator.resources.Topologies;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reconciliation of a schedule of backups, with at most one step, as {@link
 * BackupReconciliation} is for a backup.
 */
final class BackupScheduleReconciliation {
  private static final Logger log = LoggerFactory.getLogger(BackupScheduleReconciliation.class);

  private final ScheduleObserver observer;
  private final Writes writes;
  private final EventWriter events;
  private final OperatorMeters meters;
  private final BackupScheduleMeters shown;

  BackupScheduleReconciliation(
      ScheduleObserver observer, Writes writes, OperatorMeters meters, BackupScheduleMeters shown) {
    this.observer = observer;
    this.writes = writes;
    this.events = new EventWriter(writes);
    this.meters = meters;
    this.shown = shown;
  }

  /**
   * Runs one reconciliation and returns the delay until the next one. One at a time: two schedules
   * of a cluster would each find that the other one deletes nothing.
   */
  synchronized Duration once(String namespace, String name) {
    Optional<ScheduleObserved> observed = observer.observe(namespace, name);
    if (observed.isEmpty()) {
      return Reconciliation.AT_REST;
    }
    ScheduleObserved there = observed.get();
    ScheduleStep step = SchedulePlanner.plan(there);
    try {
      if (ScheduleActor.act(writes, there, step)) {
        log.info("{}: {}", name, step.getClass().getSimpleName());
      }
      report(there, step);
    } catch (KubernetesClientException failure) {
      return ReconcileGuard.afterFailedWrite(
          meters, name, step.getClass().getSimpleName(), failure);
    }
    return switch (step) {
      case ScheduleStep.Rest _ -> Reconciliation.AT_REST;
      case ScheduleStep.CreateUser _,
          ScheduleStep.AwaitUser _,
          ScheduleStep.CreatePrune _,
          ScheduleStep.CreateVerify _,
          ScheduleStep.RemoveUser _,
          ScheduleStep.RemoveJob _ ->
          BackupReconciliation.SOON;
      default -> Reconciliation.AT_ONCE;
    };
  }

  private void report(ScheduleObserved there, ScheduleStep step) {
    KvorumBackupScheduleStatus after = ScheduleStatusReport.of(there, step);
    if (!after.equals(there.schedule().known())) {
      KvorumBackupSchedule next = Topologies.copy(there.schedule());
      next.setStatus(after);
      writes.status(next);
      ScheduleStatusReport.events(there, step)
          .forEach(news -> events.emit(there.schedule(), news, there.now()));
    }
    shown.show(there.schedule(), after);
  }
}
