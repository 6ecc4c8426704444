package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Builds the members' ServiceAccount, Role and RoleBinding. Members may read and watch the topology
 * and pods, and set conditions of their own pods.
 */
public final class AccessObjects {
  private AccessObjects() {}

  public static String accountName(String cluster) {
    return cluster + "-node";
  }

  static ServiceAccount account(KvorumCluster cluster) {
    return new ServiceAccountBuilder()
        .withMetadata(Labels.metadata(cluster, accountName(cluster.getMetadata().getName())))
        .build();
  }

  static Role role(KvorumCluster cluster, int podsMax) {
    return new RoleBuilder()
        .withMetadata(Labels.metadata(cluster, accountName(cluster.getMetadata().getName())))
        .addNewRule()
        .withApiGroups(KvorumCluster.GROUP)
        .withResources("kvorumtopologies")
        .withVerbs("get", "list", "watch")
        .endRule()
        .addNewRule()
        .withApiGroups("")
        .withResources("pods")
        .withVerbs("get", "list", "watch")
        .endRule()
        .addNewRule()
        .withApiGroups("")
        .withResources("pods/status")
        .withResourceNames(podNames(cluster, podsMax))
        .withVerbs("patch")
        .endRule()
        .build();
  }

  private static List<String> podNames(KvorumCluster cluster, int podsMax) {
    return IntStream.range(0, podsMax)
        .mapToObj(ordinal -> cluster.getMetadata().getName() + "-" + ordinal)
        .toList();
  }

  static RoleBinding binding(KvorumCluster cluster) {
    String name = accountName(cluster.getMetadata().getName());
    return new RoleBindingBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewRoleRef()
        .withApiGroup("rbac.authorization.k8s.io")
        .withKind("Role")
        .withName(name)
        .endRoleRef()
        .addNewSubject()
        .withKind("ServiceAccount")
        .withName(name)
        .withNamespace(cluster.getMetadata().getNamespace())
        .endSubject()
        .build();
  }
}
