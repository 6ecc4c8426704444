package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    return List.of(source(Job.class, context), source(Pod.class, context));
  }

  private static <T extends HasMetadata> EventSource<T, KvorumLoadTest> source(
      Class<T> kind, EventSourceContext<KvorumLoadTest> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, KvorumLoadTest.class)
            .withLabelSelector(LoadLabels.NAME_LABEL + "=" + LoadLabels.NAME)
            .withSecondaryToPrimaryMapper(KvorumLoadTestReconciler::test)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> test(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(LoadLabels.INSTANCE_LABEL);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
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
