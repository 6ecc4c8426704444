package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.SecurityProfile;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.UserFileNames;
import dev.kvorum.operator.users.TokenSecrets;
import dev.kvorum.operator.users.UserSecrets;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the users of a cluster.
 *
 * @param found the Secret {@code C-auth}, or another one of that name, by key
 * @param objects what is to become of the users
 * @param areMounted whether pods are to be mounted the file
 * @param objection why a cluster that serves only users cannot have any
 */
record UserReader(
    Map<String, HasMetadata> found,
    UserSecrets objects,
    boolean areMounted,
    Optional<Notice> objection) {
  static UserReader read(
      Reads reads,
      KvorumCluster cluster,
      Optional<StatefulSet> set,
      Collection<Pod> pods,
      PeerTls tls) {
    boolean isOpen = cluster.getSpec().security().profile() == SecurityProfile.OPEN;
    // While a cluster becomes open, the operator needs its token for nodes that serve only users.
    boolean isUnused =
        isOpen && pods.stream().noneMatch(it -> UserFileNames.areMounted(it.getSpec()));
    Optional<Map<String, HasMetadata>> file =
        isUnused
            ? Optional.of(Map.of())
            : Permitted.read(() -> Optional.of(file(reads, cluster)), Optional.empty());
    Optional<UserSecrets.Found> users =
        Permitted.read(
            () -> Optional.of(users(reads, cluster, !isOpen && file.isPresent())),
            Optional.empty());
    Map<String, HasMetadata> found = file.orElse(Map.of());
    Optional<Secret> stored =
        found.values().stream()
            .filter(there -> Labels.isOf(there, cluster))
            .map(Secret.class::cast)
            .findFirst();
    // Once mounted, it stays so: a node without the file would serve everyone.
    boolean wasMounted =
        set.filter(it -> UserFileNames.areMounted(it.getSpec().getTemplate().getSpec()))
            .isPresent();
    return new UserReader(
        isOpen ? Map.of() : found,
        new UserSecrets(cluster, file.isPresent(), users, stored),
        // Together with certificates, for which pods are restarted as well.
        !isOpen && !tls.isOff() && (stored.isPresent() || wasMounted),
        file.isPresent() || !cluster.getSpec().servesOnlyUsers()
            ? Optional.empty()
            : Optional.of(
                new Notice(
                    Reason.INVALID_SETTINGS,
                    "nodes are to serve only users (security.profile strict, or the setting"
                        + " kvorum.auth.anonymous), for which the operator needs the right to"
                        + " Secrets: its chart's value operator.secrets")));
  }

  private static Map<String, HasMetadata> file(Reads reads, KvorumCluster cluster) {
    Secret named = UserSecrets.named(cluster);
    return reads
        .find(named)
        .map(there -> Map.of(ClusterObjects.key(named), there))
        .orElseGet(Map::of);
  }

  private static UserSecrets.Found users(
      Reads reads, KvorumCluster cluster, boolean mayReadSecrets) {
    List<KvorumUser> users =
        ObjectReader.ofCluster(reads, KvorumUser.class, cluster, user -> user.getSpec().cluster());
    List<KvorumRole> roles =
        users.isEmpty()
            ? List.of()
            : ObjectReader.ofCluster(
                reads, KvorumRole.class, cluster, role -> role.getSpec().cluster());
    return new UserSecrets.Found(
        users, roles, mayReadSecrets ? secrets(reads, cluster, users) : Optional.empty());
  }

  /** By name, those with tokens of users; empty if they must not be read. */
  private static Optional<Map<String, Secret>> secrets(
      Reads reads, KvorumCluster cluster, List<KvorumUser> users) {
    if (users.isEmpty()) {
      return Optional.of(Map.of());
    }
    String namespace = cluster.getMetadata().getNamespace();
    return Permitted.read(
        () -> {
          Map<String, Secret> secrets = new HashMap<>();
          reads
              .list(Secret.class, "of users", () -> made(reads.client(), cluster))
              .forEach(secret -> secrets.put(secret.getMetadata().getName(), secret));
          for (KvorumUser user : users) {
            TokenSecrets.name(user)
                .filter(name -> !secrets.containsKey(name))
                .flatMap(name -> reads.secret(namespace, name))
                .ifPresent(secret -> secrets.put(secret.getMetadata().getName(), secret));
          }
          return Optional.of(secrets);
        },
        Optional.empty());
  }

  /** The Secrets with tokens that the operator makes. */
  private static List<Secret> made(KubernetesClient client, KvorumCluster cluster) {
    return client
        .secrets()
        .inNamespace(cluster.getMetadata().getNamespace())
        .withLabel(Labels.INSTANCE_LABEL, cluster.getMetadata().getName())
        .withLabel(Labels.USER)
        .list()
        .getItems();
  }
}
