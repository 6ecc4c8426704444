package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.certificates.CertificateObjects;
import dev.kvorum.operator.certificates.GivenCertificates;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.ObjectsView;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the objects beside StatefulSet, topology and volumes, and compares them with their desired
 * state.
 */
final class ObjectReader {
  private final Reads reads;
  private final KvorumCluster cluster;
  private final Optional<String> operators;

  /**
   * @param operators namespace of the operator; empty: it runs elsewhere
   */
  ObjectReader(Reads reads, KvorumCluster cluster, Optional<String> operators) {
    this.reads = reads;
    this.cluster = cluster;
    this.operators = operators;
  }

  /** The desired and the existing objects by key, and the differences. */
  record Read(Map<String, HasMetadata> wanted, Map<String, HasMetadata> found, ObjectsView view) {}

  /** Reads the objects, and compares them with those that the rest of the state requires. */
  Read read(
      CertificateReader certificates, UserReader users, Optional<StatefulSet> set, Observed view) {
    Map<String, HasMetadata> wanted = new LinkedHashMap<>();
    Map<String, HasMetadata> found = new LinkedHashMap<>();
    for (HasMetadata object :
        ClusterObjects.of(cluster, view.podsMax(), view.minAvailable(), operators)) {
      wanted.put(ClusterObjects.key(object), object);
      find(reads, object, found);
    }
    found.putAll(certificates.found());
    found.putAll(users.found());
    String clusterId = view.status().clusterId();
    Optional<CertificateObjects> issued =
        clusterId == null
            ? Optional.empty()
            : certificates
                .own()
                .map(own ->
                    new CertificateObjects(
                        cluster, clusterId, view.now(), own, certificates.issued()));
    issued
        .map(objects -> objects.of(view.podsMax(), reported(view)))
        .orElse(List.of())
        .forEach(object -> wanted.put(ClusterObjects.key(object), object));
    users.objects().wanted().forEach(object -> wanted.put(ClusterObjects.key(object), object));
    List<HasMetadata> others =
        Stream.concat(set.stream(), found.values().stream())
            .filter(object -> !Labels.isOf(object, cluster))
            .toList();
    List<String> drift = drift(wanted, found);
    drift.removeAll(others.stream().map(ClusterObjects::key).toList());
    List<String> foreign =
        others.stream().filter(object -> !isUnwanted(object)).map(ClusterObjects::key).toList();
    return new Read(
        wanted,
        found,
        ObjectsView.of(
            drift,
            foreign,
            issued
                .flatMap(CertificateObjects::status)
                .or(() -> certificates.given().flatMap(GivenCertificates::status)),
            issued.flatMap(CertificateObjects::pending),
            drift.stream()
                .filter(key -> found.get(key) instanceof PodDisruptionBudget)
                .filter(key -> !isUnwanted(Objects.requireNonNull(wanted.get(key))))
                .findFirst()));
  }

  /** By pod, what its node reports of the certificates that it uses. */
  private static Map<String, Map<String, String>> reported(Observed view) {
    return view.pods().values().stream()
        .collect(
            Collectors.toMap(
                PodView::name,
                pod -> view.report(pod).map(NodeReport::certificates).orElse(Map.of())));
  }

  /**
   * Returns the objects that name a cluster, but those that are being deleted.
   *
   * @param named the cluster that an object names
   */
  static <T extends CustomResource<?, ?>> List<T> ofCluster(
      Reads reads, Class<T> kind, KvorumCluster cluster, Function<T, String> named) {
    String namespace = cluster.getMetadata().getNamespace();
    return reads
        .list(
            kind,
            "all",
            () -> reads.client().resources(kind).inNamespace(namespace).list().getItems())
        .stream()
        .filter(it -> named.apply(it).equals(cluster.getMetadata().getName()))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  static void find(Reads reads, HasMetadata object, Map<String, HasMetadata> found) {
    Permitted.read(() -> reads.find(object), Optional.<HasMetadata>empty())
        .ifPresent(there -> found.put(ClusterObjects.key(object), there));
  }

  private boolean isUnwanted(HasMetadata object) {
    return ClusterObjects.isUnwanted(object, cluster.getSpec());
  }

  private List<String> drift(Map<String, HasMetadata> wanted, Map<String, HasMetadata> found) {
    List<String> drift = new ArrayList<>();
    wanted.forEach((key, object) -> {
      HasMetadata there = found.get(key);
      if (isUnwanted(object)) {
        if (there != null) {
          drift.add(key);
        }
      } else if (there == null || !ClusterObjects.isSame(there, object)) {
        drift.add(key);
      }
    });
    return drift;
  }
}
