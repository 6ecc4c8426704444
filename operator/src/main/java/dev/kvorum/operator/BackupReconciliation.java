package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupStatus;
import dev.kvorum.operator.backup.BackupActor;
import dev.kvorum.operator.backup.BackupObserved;
import dev.kvorum.operator.backup.BackupObserver;
import dev.kvorum.operator.backup.BackupPlanner;
import dev.kvorum.operator.backup.BackupStatusReport;
import dev.kvorum.operator.backup.BackupStep;
import dev.kvorum.operator.resources.Topologies;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reconciliation of a backup, with at most one step, as {@link Reconciliation} is for clusters.
 * All state is in the status of the backup.
 */
final class BackupReconciliation {
  /** Delay while a Job runs or something is waited for. */
  static final Duration SOON = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(BackupReconciliation.class);

  private final BackupObserver observer;
  private final Writes writes;
  private final EventWriter events;
  private final OperatorMeters meters;

  BackupReconciliation(BackupObserver observer, Writes writes, OperatorMeters meters) {
    this.observer = observer;
    this.writes = writes;
    this.events = new EventWriter(writes);
    this.meters = meters;
  }

  /**
   * Runs one reconciliation and returns the delay until the next one. One at a time: of two backups
   * that are created together, each would find that the other one has not started.
   */
  synchronized Duration once(String namespace, String name) {
    Optional<BackupObserved> observed = observer.observe(namespace, name);
    if (observed.isEmpty()) {
      return Reconciliation.AT_REST;
    }
    BackupObserved there = observed.get();
    BackupStep step = BackupPlanner.plan(there);
    try {
      if (BackupActor.act(writes, there, step)) {
        log.info("{}: {}", name, step);
      }
      report(there, step);
    } catch (KubernetesClientException failure) {
      return ReconcileGuard.afterFailedWrite(meters, name, step, failure);
    }
    return switch (step) {
      case BackupStep.Rest _ -> Reconciliation.AT_REST;
      case BackupStep.Wait _,
          BackupStep.Pause _,
          BackupStep.CreateUser _,
          BackupStep.CreateJob _,
          BackupStep.RemoveUser _ ->
          SOON;
      case BackupStep.Begin _,
          BackupStep.Retry _,
          BackupStep.Complete _,
          BackupStep.Fail _,
          BackupStep.RemoveJob _ ->
          Reconciliation.AT_ONCE;
    };
  }

  private void report(BackupObserved there, BackupStep step) {
    KvorumBackupStatus after = BackupStatusReport.of(there, step);
    if (!after.equals(there.backup().known())) {
      KvorumBackup next = Topologies.copy(there.backup());
      next.setStatus(after);
      writes.status(next);
      BackupStatusReport.event(there, step)
          .ifPresent(news -> events.emit(there.backup(), news, there.now()));
    }
  }
}
