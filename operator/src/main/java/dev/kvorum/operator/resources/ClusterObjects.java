package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.NetworkPolicyMode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds all objects of a cluster beside StatefulSet, topology, volumes and certificates, in the
 * order of creation. Each has the hash of its desired state. Drift is therefore a comparison of two
 * hashes, and not of fields that an API server has filled in.
 */
public final class ClusterObjects {
  private ClusterObjects() {}

  /**
   * Returns the objects in their desired state.
   *
   * @param podsMax how many pods there may be
   * @param minAvailable how many pods must stay ready when one is evicted
   * @param operators namespace of the operator; empty: it runs elsewhere
   */
  public static List<HasMetadata> of(
      KvorumCluster cluster, int podsMax, int minAvailable, Optional<String> operators) {
    return List.<HasMetadata>of(
            AccessObjects.account(cluster),
            AccessObjects.role(cluster, podsMax),
            AccessObjects.binding(cluster),
            ServiceObjects.peers(cluster),
            ServiceObjects.client(cluster),
            NetworkPolicies.of(cluster, operators),
            DisruptionBudgets.of(cluster, minAvailable))
        .stream()
        .<HasMetadata>map(ClusterObjects::hashed)
        .toList();
  }

  /**
   * Returns whether an object should not exist: a disruption budget for one member would block
   * drains, a network policy may be unwanted, and only a cluster with an issuer asks it.
   */
  public static boolean isUnwanted(HasMetadata object, KvorumClusterSpec spec) {
    return switch (object.getKind()) {
      case "PodDisruptionBudget" -> spec.replicas() < 2;
      case "NetworkPolicy" -> spec.network().policy() == NetworkPolicyMode.NONE;
      case IssuedCertificate.KIND -> spec.security().issuer().isEmpty();
      default -> false;
    };
  }

  /**
   * Returns the existing object with the fields that the operator sets; all other fields stay
   * unchanged.
   */
  public static HasMetadata withDesired(HasMetadata found, HasMetadata wanted) {
    HasMetadata next = Topologies.copy(found);
    next.getMetadata()
        .setLabels(merged(found.getMetadata().getLabels(), wanted.getMetadata().getLabels()));
    next.getMetadata()
        .setAnnotations(
            merged(found.getMetadata().getAnnotations(), wanted.getMetadata().getAnnotations()));
    if (!hasData(wanted)) {
      next.getMetadata().setOwnerReferences(wanted.getMetadata().getOwnerReferences());
    }
    if (next instanceof Service actual && wanted instanceof Service desired) {
      actual.getSpec().setPorts(desired.getSpec().getPorts());
      actual.getSpec().setSelector(desired.getSpec().getSelector());
      actual.getSpec().setPublishNotReadyAddresses(desired.getSpec().getPublishNotReadyAddresses());
    } else if (next instanceof Role actual && wanted instanceof Role desired) {
      actual.setRules(desired.getRules());
    } else if (next instanceof RoleBinding actual && wanted instanceof RoleBinding desired) {
      actual.setSubjects(desired.getSubjects());
    } else if (next instanceof PodDisruptionBudget actual
        && wanted instanceof PodDisruptionBudget desired) {
      actual.setSpec(desired.getSpec());
    } else if (next instanceof NetworkPolicy actual && wanted instanceof NetworkPolicy desired) {
      actual.setSpec(desired.getSpec());
    } else if (next instanceof Secret actual && wanted instanceof Secret desired) {
      actual.setData(desired.getData());
    } else if (next instanceof ConfigMap actual && wanted instanceof ConfigMap desired) {
      actual.setData(desired.getData());
    } else if (next instanceof IssuedCertificate actual
        && wanted instanceof IssuedCertificate desired) {
      actual.setSpec(desired.getSpec());
    }
    return next;
  }

  /**
   * Whether an object only has data. Such objects keep their owner: who changes it may need the
   * right to delete all Secrets. Those of an owner that is gone are deleted by Kubernetes.
   */
  private static boolean hasData(HasMetadata object) {
    return object instanceof Secret || object instanceof ConfigMap;
  }

  /**
   * Returns whether an existing object is as it should be. An object with data is compared by
   * these, which an API server leaves as they are.
   */
  public static boolean isSame(HasMetadata found, HasMetadata wanted) {
    return switch (wanted) {
      case Secret desired ->
          found instanceof Secret actual && desired.getData().equals(actual.getData());
      case ConfigMap desired ->
          found instanceof ConfigMap actual && desired.getData().equals(actual.getData());
      default ->
          Labels.annotation(found.getMetadata(), Labels.HASH)
              .equals(Labels.annotation(wanted.getMetadata(), Labels.HASH));
    };
  }

  private static Map<String, String> merged(
      @Nullable Map<String, String> actual, Map<String, String> desired) {
    Map<String, String> all = new TreeMap<>(actual == null ? Map.of() : actual);
    all.putAll(desired);
    return all;
  }

  /** Returns the name of an object in steps. */
  public static String key(HasMetadata object) {
    return object.getKind() + "/" + object.getMetadata().getName();
  }

  /** Returns the object with the hash of its state. */
  public static <T extends HasMetadata> T hashed(T object) {
    String hash = SpecHash.ofText(Serialization.asJson(object));
    object.getMetadata().setAnnotations(new TreeMap<>(Map.of(Labels.HASH, hash)));
    return object;
  }
}
