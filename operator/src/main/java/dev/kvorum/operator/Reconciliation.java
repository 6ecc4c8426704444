package dev.kvorum.operator;

import dev.kvorum.operator.act.StepExecutor;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.observe.Observer;
import dev.kvorum.operator.observe.Reads;
import dev.kvorum.operator.observe.Snapshot;
import dev.kvorum.operator.plan.ClusterPlanner;
import dev.kvorum.operator.plan.LeftVolumePlanner;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.RolloutPlanner;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.report.Events;
import dev.kvorum.operator.report.StatusReport;
import dev.kvorum.operator.report.TaskMessages;
import dev.kvorum.operator.resources.Tasks;
import dev.kvorum.operator.resources.Topologies;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reconciliation of a cluster, with at most one step: observe, plan, act, report. Correctness
 * depends on no state in memory: all state is in the API objects, so it does not matter which
 * operator runs which reconciliation. What was read for a cluster that waits is kept for a moment,
 * to see that it still waits; whatever is written rests on objects that were read for it.
 */
final class Reconciliation {
  /** Delay after a step, since another one may follow. */
  static final Duration AT_ONCE = Duration.ofMillis(50);

  /**
   * Delay after a conflict, and while the cluster waits for something that only nodes report and
   * that has not taken long.
   */
  static final Duration SOON = Duration.ofMillis(500);

  /**
   * Delay while a member is down or a wait takes long: recovery is seldom quick, and pod changes
   * trigger a reconciliation anyway.
   */
  static final Duration LATER = Duration.ofSeconds(3);

  /** Delay after a failure, and while there is nothing to do except fetching the nodes' reports. */
  static final Duration AT_REST = Duration.ofSeconds(15);

  /** Users whose status is written in one reconciliation, which other work waits for. */
  private static final int USERS_AT_ONCE = 200;

  private static final int CONFLICT = 409;
  private static final int GONE = 404;
  private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

  private final Observer observer;
  private final KeptReads kept;
  private final Writes writes;
  private final EventWriter events;
  private final StepExecutor actor;
  private final OperatorMeters meters;
  private final Refusals refusals = new Refusals();
  private final WaitBackoff backoff = new WaitBackoff();

  Reconciliation(
      Observer observer, KeptReads kept, Writes writes, StepExecutor actor, OperatorMeters meters) {
    this.observer = observer;
    this.kept = kept;
    this.writes = writes;
    this.events = new EventWriter(writes);
    this.actor = actor;
    this.meters = meters;
  }

  /** Runs one reconciliation and returns the delay until the next one. */
  Duration once(String namespace, String name) {
    return kept.take(namespace, name)
        .flatMap(reads -> look(namespace, name, reads, this::writesNothing))
        .orElseGet(() ->
            look(namespace, name, kept.begin(), any -> true)
                .orElseGet(() -> {
                  meters.remove(namespace, name);
                  return AT_REST;
                }));
  }

  /** The next reconciliation of a cluster reads everything, since an object of it has changed. */
  void changed(String namespace, String name) {
    kept.forget(namespace, name);
  }

  /** Returns empty, with nothing done, if there is no such cluster or it is not accepted. */
  private Optional<Duration> look(
      String namespace, String name, Reads reads, Predicate<Snapshot> accepted) {
    return observer
        .observe(namespace, name, reads)
        .map(refusals::known)
        .filter(accepted)
        .map(there -> {
          boolean mayBeReused = writesNothing(there);
          Duration next = step(there);
          if (mayBeReused && next.equals(SOON)) {
            kept.keep(namespace, name, reads);
          }
          return next;
        });
  }

  /**
   * Returns whether a reconciliation only waits: nothing is written that rests on old reads. A spec
   * that has changed is reported at once, so it never is.
   */
  private boolean writesNothing(Snapshot there) {
    Plan plan = ClusterPlanner.plan(there.view());
    boolean takesNone =
        switch (plan.step()) {
          case Step.Wait _, Step.Refuse _, Step.Rest _ -> true;
          default -> false;
        };
    return takesNone
        && status(there, plan).equals(there.view().status())
        && reportedTasks(there, plan).isEmpty()
        && untold(there, plan).isEmpty()
        && there.users().reported(there.usersRead(), there.view().now()).isEmpty();
  }

  private Duration step(Snapshot there) {
    Plan wanted = ClusterPlanner.plan(there.view());
    boolean written;
    try {
      written = actor.act(there, wanted.step());
    } catch (KubernetesClientException failure) {
      return refusals
          .learn(there, wanted.step(), failure)
          .map(this::step)
          .orElseGet(() -> failed(there, wanted, failure));
    }
    Plan plan =
        !written && wanted.step() instanceof Step.RestartPod restart
            ? new Plan(RolloutPlanner.notEvictable(restart), wanted.refused())
            : wanted;
    try {
      if (written) {
        done(there, plan.step());
      }
      if (!isReportedNext(plan.step())) {
        report(there, plan);
        reportedTasks(there, plan).forEach(writes::status);
        tellOfUsers(there, plan);
      }
    } catch (KubernetesClientException failure) {
      return failed(there, plan, failure);
    }
    Duration next = next(there, plan.step());
    boolean isSettled = there.users().areSettled(there.usersRead());
    return isSettled || next.compareTo(LATER) < 0 ? next : LATER;
  }

  private void done(Snapshot there, Step step) {
    meters.step(step);
    log.info("{}: {}", there.view().name(), step);
    Events.of(step).ifPresent(news -> events.emit(there.cluster(), news, there.view().now()));
  }

  private void report(Snapshot there, Plan plan) {
    KvorumCluster cluster = there.cluster();
    KvorumClusterStatus before = there.view().status();
    KvorumClusterStatus after = status(there, plan);
    meters.cluster(
        cluster.getMetadata().getNamespace(),
        there.view().name(),
        cluster.getSpec().replicas(),
        after,
        LeftVolumePlanner.left(there.view()));
    if (after.equals(before)) {
      return;
    }
    KvorumCluster next = Topologies.copy(cluster);
    next.setStatus(after);
    writes.status(next);
    Events.news(before, after, plan)
        .forEach(news -> events.emit(cluster, news, there.view().now()));
  }

  private static KvorumClusterStatus status(Snapshot there, Plan plan) {
    return StatusReport.of(
        there.view(),
        plan,
        Objects.requireNonNullElse(there.cluster().getMetadata().getGeneration(), 0L));
  }

  /**
   * Returns whether the next reconciliation reports: a step was the write of a status, or the
   * cluster is as ready after it as before.
   */
  private static boolean isReportedNext(Step step) {
    return step instanceof Step.Identify
        || step instanceof Step.MarkLeftVolume
        || step instanceof Step.RemoveLeftVolume
        || step instanceof Step.StartTask
        || step instanceof Step.EndTask;
  }

  /** Returns the tasks whose status has changed. */
  private static List<KvorumTask> reportedTasks(Snapshot there, Plan plan) {
    List<KvorumTask> changed = new ArrayList<>();
    for (KvorumTask task : there.tasks()) {
      Notice why = TaskMessages.of(there.view(), plan, task.getMetadata().getName());
      KvorumTask next = Tasks.reported(task, why, there.view().now());
      if (!next.known().equals(task.known())) {
        changed.add(next);
      }
    }
    return changed;
  }

  /** Returns the pods to tell that there are other users. */
  private static List<Pod> untold(Snapshot there, Plan plan) {
    boolean isPaused = plan.step() instanceof Step.Wait wait && wait.phase() == ClusterPhase.PAUSED;
    return isPaused ? List.of() : there.unaware();
  }

  /** Tells nodes that there are other users, and users whether nodes know them. */
  private void tellOfUsers(Snapshot there, Plan plan) {
    untold(there, plan)
        .forEach(pod -> writes.usersChanged(pod, there.users().digest().orElseThrow()));
    there.users().reported(there.usersRead(), there.view().now()).stream()
        .limit(USERS_AT_ONCE)
        .forEach(writes::status);
  }

  /**
   * Handles a failed write. A conflict means that the snapshot was stale. Any other failure is
   * reported in the status and retried.
   */
  private Duration failed(Snapshot there, Plan plan, KubernetesClientException failure) {
    if (failure.getCode() == CONFLICT || failure.getCode() == GONE) {
      meters.conflict();
      return SOON;
    }
    meters.failure();
    log.warn("{}: {} failed", there.view().name(), plan.step(), failure);
    String why = plan.step().getClass().getSimpleName() + " failed: " + Refusals.sentence(failure);
    try {
      Plan failed =
          new Plan(new Step.Wait(ClusterPhase.DEGRADED, Reason.FAILED, why), plan.refused());
      report(there, failed);
      reportedTasks(there, failed).forEach(writes::status);
    } catch (KubernetesClientException alsoFailed) {
      log.warn("{}: the status cannot be written either", there.view().name());
    }
    return AT_REST;
  }

  private Duration next(Snapshot there, Step step) {
    String namespace = there.cluster().getMetadata().getNamespace();
    if (!(step instanceof Step.Wait)) {
      backoff.remove(namespace, there.view().name());
    }
    return switch (step) {
      case Step.Rest _, Step.Refuse _ -> AT_REST;
      case Step.Wait wait ->
          switch (wait.phase()) {
            case PAUSED -> AT_REST;
            case DEGRADED -> LATER;
            case CREATING,
                RESTORING,
                READY,
                REFUSED,
                SCALING_OUT,
                SCALING_IN,
                REMOVING,
                MOVING,
                CANCELLING,
                UPDATING,
                RESIZING ->
                wait.reason() == Reason.UPDATE_STALLED
                        || backoff.takesLong(
                            namespace, there.view().name(), wait.reason(), there.view().now())
                    ? LATER
                    : SOON;
          };
      // One of the Jobs, which takes seconds to go.
      case Step.RemoveRestoreJob _ -> SOON;
      default -> AT_ONCE;
    };
  }
}
