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
  private final Rejections rejections = new Rejections();
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
        .flatMap(reads ->
            observe(namespace, name, reads)
                .flatMap(there -> delayOfWait(there, ClusterPlanner.plan(there.view()), reads)))
        .orElseGet(() -> afresh(namespace, name));
  }

  /** The next reconciliation of a cluster reads everything, since an object of it has changed. */
  void changed(String namespace, String name) {
    kept.forget(namespace, name);
  }

  private Duration afresh(String namespace, String name) {
    Reads reads = kept.begin();
    Optional<Snapshot> observed = observe(namespace, name, reads);
    if (observed.isEmpty()) {
      meters.remove(namespace, name);
      return AT_REST;
    }
    Snapshot there = observed.get();
    Plan plan = ClusterPlanner.plan(there.view());
    return delayOfWait(there, plan, reads).orElseGet(() -> step(there, plan));
  }

  private Optional<Snapshot> observe(String namespace, String name, Reads reads) {
    return observer.observe(namespace, name, reads).map(rejections::known);
  }

  /**
   * Returns the delay of a reconciliation that only waits, and keeps what was read for the next
   * one; empty if it has something to write, which must not rest on old reads.
   */
  private Optional<Duration> delayOfWait(Snapshot there, Plan plan, Reads reads) {
    if (!writesNothing(there, plan)) {
      return Optional.empty();
    }
    show(there, there.view().status());
    Duration next = backoff.delay(there, plan.step());
    if (next.equals(SOON)) {
      kept.keep(there.cluster().getMetadata().getNamespace(), there.view().name(), reads);
    }
    return Optional.of(next);
  }

  /** A spec that has changed is reported at once, so there is always something to write for it. */
  private static boolean writesNothing(Snapshot there, Plan plan) {
    boolean takesNone =
        switch (plan.step()) {
          case Step.Wait _, Step.Reject _, Step.Rest _ -> true;
          default -> false;
        };
    return takesNone
        && status(there, plan).equals(there.view().status())
        && reportedTasks(there, plan).isEmpty()
        && untold(there, plan).isEmpty()
        && there.users().reported(there.usersRead(), there.view().now()).isEmpty();
  }

  private Duration step(Snapshot there, Plan wanted) {
    boolean written;
    try {
      written = actor.act(there, wanted.step());
    } catch (KubernetesClientException failure) {
      return rejections
          .learn(there, wanted.step(), failure)
          .map(now -> step(now, ClusterPlanner.plan(now.view())))
          .orElseGet(() -> failed(there, wanted, failure));
    }
    Plan plan =
        !written && wanted.step() instanceof Step.RestartPod restart
            ? new Plan(RolloutPlanner.notEvictable(restart), wanted.rejected())
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
    return backoff.delay(there, plan.step());
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
    show(there, after);
    if (after.equals(before)) {
      return;
    }
    KvorumCluster next = Topologies.copy(cluster);
    next.setStatus(after);
    writes.status(next);
    Events.news(before, after, plan)
        .forEach(news -> events.emit(cluster, news, there.view().now()));
  }

  private void show(Snapshot there, KvorumClusterStatus status) {
    meters.cluster(
        there.cluster().getMetadata().getNamespace(),
        there.view().name(),
        there.cluster().getSpec().replicas(),
        status,
        LeftVolumePlanner.left(there.view()));
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
    String why =
        plan.step().getClass().getSimpleName() + " failed: " + Rejections.sentence(failure);
    try {
      Plan failed =
          new Plan(new Step.Wait(ClusterPhase.DEGRADED, Reason.FAILED, why), plan.rejected());
      report(there, failed);
      reportedTasks(there, failed).forEach(writes::status);
    } catch (KubernetesClientException alsoFailed) {
      log.warn("{}: the status cannot be written either", there.view().name());
    }
    return AT_REST;
  }
}
