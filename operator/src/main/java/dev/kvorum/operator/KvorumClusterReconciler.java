package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler that the Java Operator SDK calls for a cluster. It runs one reconciliation when
 * the cluster, its StatefulSet, its topology, one of its pods or users changes, and periodically.
 * Informers only trigger it: the objects are read from the API, those that it acts upon in the same
 * reconciliation. {@link ReachabilityWatch} uses their caches.
 */
@ControllerConfiguration(name = "kvorumcluster")
final class KvorumClusterReconciler implements Reconciler<KvorumCluster> {
  private final Reconciliation reconciliation;
  private final ReconcileGuard guard;
  private final BooleanSupplier usersAreDefined;
  private volatile @Nullable Caches caches;

  /**
   * Creates one.
   *
   * @param usersAreDefined whether the API server has the kinds of users and roles
   */
  KvorumClusterReconciler(
      Reconciliation reconciliation, ReconcileGuard guard, BooleanSupplier usersAreDefined) {
    this.reconciliation = reconciliation;
    this.guard = guard;
    this.usersAreDefined = usersAreDefined;
  }

  @Override
  public List<EventSource<?, KvorumCluster>> prepareEventSources(
      EventSourceContext<KvorumCluster> context) {
    InformerEventSource<Pod, KvorumCluster> pods = source(Pod.class, context);
    InformerEventSource<KvorumTopology, KvorumCluster> topologies =
        source(KvorumTopology.class, context);
    guard.follow(context.getPrimaryCache());
    caches = new Caches(context.getPrimaryCache(), topologies, pods);
    List<EventSource<?, KvorumCluster>> sources =
        new ArrayList<>(List.of(source(StatefulSet.class, context), pods, topologies));
    if (usersAreDefined.getAsBoolean()) {
      sources.add(source(KvorumUser.class, context, user -> user.getSpec().cluster()));
      sources.add(source(KvorumRole.class, context, role -> role.getSpec().cluster()));
    }
    return List.copyOf(sources);
  }

  /** Of objects that name their cluster. */
  private <T extends HasMetadata> InformerEventSource<T, KvorumCluster> source(
      Class<T> kind, EventSourceContext<KvorumCluster> context, Function<T, String> cluster) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, KvorumCluster.class)
            .withSecondaryToPrimaryMapper(object -> {
              String namespace = object.getMetadata().getNamespace();
              reconciliation.changed(namespace, cluster.apply(object));
              return Set.of(new ResourceID(cluster.apply(object), namespace));
            })
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private record Caches(
      IndexedResourceCache<KvorumCluster> clusters,
      InformerEventSource<KvorumTopology, KvorumCluster> topologies,
      InformerEventSource<Pod, KvorumCluster> pods) {
    List<ReachabilityWatch.Watched> watched() {
      return clusters.list().flatMap(cluster -> watched(cluster).stream()).toList();
    }

    private Optional<ReachabilityWatch.Watched> watched(KvorumCluster cluster) {
      return topologies
          .get(ResourceID.fromResource(cluster))
          .map(topology ->
              new ReachabilityWatch.Watched(
                  cluster, topology, List.copyOf(pods.getSecondaryResources(cluster))));
    }
  }

  /** Returns the cached clusters that have a topology; none before the event sources are set up. */
  List<ReachabilityWatch.Watched> watched() {
    Caches known = caches;
    return known == null ? List.of() : known.watched();
  }

  private static <T extends HasMetadata> InformerEventSource<T, KvorumCluster> source(
      Class<T> kind, EventSourceContext<KvorumCluster> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, KvorumCluster.class)
            .withLabelSelector(Labels.NAME_LABEL + "=" + Labels.NAME)
            .withSecondaryToPrimaryMapper(KvorumClusterReconciler::cluster)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> cluster(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.INSTANCE_LABEL);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<KvorumCluster> reconcile(
      KvorumCluster cluster, Context<KvorumCluster> context) {
    String namespace = cluster.getMetadata().getNamespace();
    String name = cluster.getMetadata().getName();
    Duration next = guard.run(name, () -> reconciliation.once(namespace, name));
    return UpdateControl.<KvorumCluster>noUpdate().rescheduleAfter(next);
  }
}
