package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.resources.Marks;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
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
 * The shell that the Java Operator SDK calls: when a cluster, its StatefulSet, one of its pods or
 * its topology changes, and now and then, it looks once. Informers only say when to look: what
 * there is is read from the API.
 */
@ControllerConfiguration(name = "kvorumcluster")
final class KvorumClusterReconciler implements Reconciler<KvorumCluster> {
  private final Reconciliation reconciliation;
  private final Looks looks;

  KvorumClusterReconciler(Reconciliation reconciliation, Looks looks) {
    this.reconciliation = reconciliation;
    this.looks = looks;
  }

  @Override
  public List<EventSource<?, KvorumCluster>> prepareEventSources(
      EventSourceContext<KvorumCluster> context) {
    looks.follow(context.getPrimaryCache());
    return List.of(
        source(StatefulSet.class, context),
        source(Pod.class, context),
        source(KvorumTopology.class, context));
  }

  private static <T extends HasMetadata> EventSource<T, KvorumCluster> source(
      Class<T> kind, EventSourceContext<KvorumCluster> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, KvorumCluster.class)
            .withLabelSelector(Marks.NAME_LABEL + "=" + Marks.NAME)
            .withSecondaryToPrimaryMapper(KvorumClusterReconciler::cluster)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> cluster(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Marks.INSTANCE_LABEL);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<KvorumCluster> reconcile(
      KvorumCluster cluster, Context<KvorumCluster> context) {
    String namespace = cluster.getMetadata().getNamespace();
    String name = cluster.getMetadata().getName();
    Duration next = looks.take(name, () -> reconciliation.once(namespace, name));
    return UpdateControl.<KvorumCluster>noUpdate().rescheduleAfter(next);
  }
}
