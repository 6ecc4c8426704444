package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.resources.Tasks;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiPredicate;

/**
 * The reconciler that the Java Operator SDK calls for a task. It only reports that there is no such
 * cluster: tasks are steps of their cluster's {@link Reconciliation}.
 */
@ControllerConfiguration(name = "kvorumtask")
final class KvorumTaskReconciler implements Reconciler<KvorumTask> {
  private final BiPredicate<String, String> clusters;
  private final Writes writes;
  private final InstantSource clock;
  private final ReconcileGuard guard;

  /**
   * Creates a reconciler.
   *
   * @param clusters whether a namespace has a cluster of this name
   */
  KvorumTaskReconciler(
      BiPredicate<String, String> clusters,
      Writes writes,
      InstantSource clock,
      ReconcileGuard guard) {
    this.clusters = clusters;
    this.writes = writes;
    this.clock = clock;
    this.guard = guard;
  }

  @Override
  public UpdateControl<KvorumTask> reconcile(KvorumTask task, Context<KvorumTask> context) {
    Duration next = guard.take(task.getMetadata().getName(), () -> once(task));
    return UpdateControl.<KvorumTask>noUpdate().rescheduleAfter(next);
  }

  /** Runs one reconciliation and returns the delay until the next one. */
  Duration once(KvorumTask task) {
    String cluster = task.getSpec().cluster();
    if (!task.known().ended() && !clusters.test(task.getMetadata().getNamespace(), cluster)) {
      String why = "there is no KvorumCluster " + cluster + " in this namespace";
      KvorumTask next = Tasks.reported(task, new Notice(Reason.NO_CLUSTER, why), clock.instant());
      if (!next.known().equals(task.known())) {
        writes.status(next);
      }
    }
    return Reconciliation.AT_REST;
  }
}
