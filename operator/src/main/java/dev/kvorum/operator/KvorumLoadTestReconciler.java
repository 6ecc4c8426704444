package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.loadtest.resources.LoadMarks;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell that the Java Operator SDK calls: when a load test, one of its Jobs or a pod changes,
 * and now and then, it looks once.
 */
@ControllerConfiguration(name = "kvorumloadtest")
final class KvorumLoadTestReconciler implements Reconciler<KvorumLoadTest> {
  /** After an error such as an API server that is away. */
  private static final Duration AFTER_ERROR = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(KvorumLoadTestReconciler.class);

  private final LoadTestReconciliation reconciliation;
  private final OperatorMeters meters;
  private volatile @Nullable IndexedResourceCache<KvorumLoadTest> cache;

  KvorumLoadTestReconciler(LoadTestReconciliation reconciliation, OperatorMeters meters) {
    this.reconciliation = reconciliation;
    this.meters = meters;
  }

  @Override
  public List<EventSource<?, KvorumLoadTest>> prepareEventSources(
      EventSourceContext<KvorumLoadTest> context) {
    cache = context.getPrimaryCache();
    return List.of(source(Job.class, context), source(Pod.class, context));
  }

  /** Whether there is such a load test, as far as the informer knows. */
  boolean knows(String namespace, String name) {
    IndexedResourceCache<KvorumLoadTest> known = cache;
    return known == null || known.get(new ResourceID(name, namespace)).isPresent();
  }

  private static <T extends HasMetadata> EventSource<T, KvorumLoadTest> source(
      Class<T> kind, EventSourceContext<KvorumLoadTest> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, KvorumLoadTest.class)
            .withLabelSelector(LoadMarks.NAME_LABEL + "=" + LoadMarks.NAME)
            .withSecondaryToPrimaryMapper(KvorumLoadTestReconciler::test)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> test(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(LoadMarks.INSTANCE_LABEL);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<KvorumLoadTest> reconcile(
      KvorumLoadTest test, Context<KvorumLoadTest> context) {
    String namespace = test.getMetadata().getNamespace();
    String name = test.getMetadata().getName();
    long begun = System.nanoTime();
    Duration next;
    try {
      next = reconciliation.once(namespace, name);
    } catch (KubernetesClientException away) {
      meters.failure();
      LOG.warn("{}: cannot be looked at: {}", name, away.getMessage());
      next = AFTER_ERROR;
    }
    meters.reconciled(Duration.ofNanos(System.nanoTime() - begun));
    return UpdateControl.<KvorumLoadTest>noUpdate().rescheduleAfter(next);
  }
}
