package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;

/**
 * The reconciler that the Java Operator SDK calls for a load test. It runs one reconciliation when
 * the load test, one of its Jobs or one of their pods changes, and periodically.
 */
@ControllerConfiguration(name = "kvorumloadtest")
final class KvorumLoadTestReconciler implements Reconciler<KvorumLoadTest> {
  private final LoadTestReconciliation reconciliation;
  private final ReconcileGuard looks;

  KvorumLoadTestReconciler(LoadTestReconciliation reconciliation, ReconcileGuard looks) {
    this.reconciliation = reconciliation;
    this.looks = looks;
  }

  @Override
  public List<EventSource<?, KvorumLoadTest>> prepareEventSources(
      EventSourceContext<KvorumLoadTest> context) {
    looks.follow(context.getPrimaryCache());
    return JobSources.of(KvorumLoadTest.class, LoadLabels.NAME, context);
  }

  @Override
  public UpdateControl<KvorumLoadTest> reconcile(
      KvorumLoadTest test, Context<KvorumLoadTest> context) {
    String namespace = test.getMetadata().getNamespace();
    String name = test.getMetadata().getName();
    Duration next = looks.take(name, () -> reconciliation.once(namespace, name));
    return UpdateControl.<KvorumLoadTest>noUpdate().rescheduleAfter(next);
  }
}
