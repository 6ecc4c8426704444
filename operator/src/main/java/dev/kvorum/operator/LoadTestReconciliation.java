package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.loadtest.act.LoadActor;
import dev.kvorum.operator.loadtest.observe.LoadObserver;
import dev.kvorum.operator.loadtest.observe.LoadSnapshot;
import dev.kvorum.operator.loadtest.plan.LoadPlanner;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import dev.kvorum.operator.loadtest.report.LoadEvents;
import dev.kvorum.operator.loadtest.report.LoadStatusReport;
import dev.kvorum.operator.resources.Topologies;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reconciliation of a load test, with at most one step, as {@link Reconciliation} is for
 * clusters. All state is in the status of the load test.
 */
final class LoadTestReconciliation {
  /**
   * Delay while a Job runs or the cluster is not ready. Pod changes trigger a reconciliation
   * anyway.
   */
  static final Duration SOON = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(LoadTestReconciliation.class);

  private final LoadObserver observer;
  private final Writes writes;
  private final EventWriter events;
  private final LoadActor actor;
  private final OperatorMeters meters;
  private final LoadTestMeters results;

  /**
   * Creates the reconciliation.
   *
   * @param image the image of load tests that name none
   */
  LoadTestReconciliation(
      LoadObserver observer,
      Writes writes,
      String image,
      OperatorMeters meters,
      LoadTestMeters results) {
    this.observer = observer;
    this.writes = writes;
    this.events = new EventWriter(writes);
    this.actor = new LoadActor(writes, image);
    this.meters = meters;
    this.results = results;
  }

  /**
   * Runs one reconciliation and returns the delay until the next one. One at a time: of two load
   * tests that are created together, each would find that the other one has not started.
   */
  synchronized Duration once(String namespace, String name) {
    Optional<LoadSnapshot> observed = observer.observe(namespace, name);
    if (observed.isEmpty()) {
      results.remove(namespace, name);
      return Reconciliation.AT_REST;
    }
    LoadSnapshot there = observed.get();
    LoadStep step = LoadPlanner.plan(there.view());
    try {
      if (actor.act(there, step)) {
        log.info("{}: {}", name, step);
      }
      report(there, step);
    } catch (KubernetesClientException failure) {
      return ReconcileGuard.afterFailedWrite(meters, name, step, failure);
    }
    return next(step);
  }

  private void report(LoadSnapshot there, LoadStep step) {
    KvorumLoadTest test = there.test();
    KvorumLoadTestStatus after =
        LoadStatusReport.of(
            there.view(), step, Objects.requireNonNullElse(test.getMetadata().getGeneration(), 0L));
    if (!after.equals(there.view().status())) {
      KvorumLoadTest next = Topologies.copy(test);
      next.setStatus(after);
      writes.status(next);
      LoadEvents.of(there.view(), step, after)
          .ifPresent(news -> events.emit(test, news, there.view().now()));
    }
    results.show(test.getMetadata().getNamespace(), there.view().name(), test.getSpec(), after);
  }

  private static Duration next(LoadStep step) {
    return switch (step) {
      case LoadStep.Rest _ -> Reconciliation.AT_REST;
      case LoadStep.Wait _, LoadStep.CreateUser _, LoadStep.CreateFill _, LoadStep.CreateJob _ ->
          SOON;
      case LoadStep.Begin _,
          LoadStep.PutScripts _,
          LoadStep.Filled _,
          LoadStep.Measured _,
          LoadStep.Complete _,
          LoadStep.Fail _,
          LoadStep.RemoveJob _ ->
          Reconciliation.AT_ONCE;
    };
  }
}
