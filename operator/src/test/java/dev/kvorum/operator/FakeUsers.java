package dev.kvorum.operator;

import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyRule;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KeysSpec;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumRoleSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import dev.kvorum.operator.api.ServiceAccountReference;
import dev.kvorum.operator.resources.Digests;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.UserFileNames;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Users of the cluster, and what its nodes know of them. */
final class FakeUsers {
  private final KubernetesClient client;

  /** By uid of a pod. */
  private final Map<String, Mounted> mounted = new HashMap<>();

  private record Mounted(String annotation, String file) {}

  FakeUsers(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The hash of the file that a node has read: kubelets look for a new one as their pod changes.
   */
  String of(String name) {
    return file(pod(name)).map(Digests::sha256).orElse("");
  }

  /** Whether a node shows its state only to observers, and this token is none's. */
  boolean rejects(String name, Optional<String> token) {
    Pod pod = pod(name);
    boolean servesAll =
        pod == null
            || pod.getSpec().getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getName().equals("KVORUM_AUTH_ANONYMOUS"))
                .noneMatch(variable -> variable.getValue().equals("none"));
    return !servesAll
        && token
            .map(it -> "\"tokenSha256\":\"" + Digests.sha256(it) + "\",\"observer\":true")
            .filter(it -> file(pod).filter(file -> file.contains(it)).isPresent())
            .isEmpty();
  }

  private @Nullable Pod pod(String name) {
    return client.pods().inNamespace(FakeKubernetes.NAMESPACE).withName(name).get();
  }

  /** The file that a node has read. */
  private Optional<String> file(@Nullable Pod pod) {
    Secret secret = secret(UserFileNames.secret(FakeKubernetes.NAME));
    if (pod == null || !UserFileNames.areMounted(pod.getSpec())) {
      return Optional.empty();
    }
    String annotation = Labels.annotation(pod.getMetadata(), Labels.USERS).orElse("");
    String uid = pod.getMetadata().getUid();
    Mounted before = mounted.get(uid);
    if (before == null || !before.annotation.equals(annotation)) {
      before = new Mounted(annotation, decoded(secret, UserFileNames.NAME));
      mounted.put(uid, before);
    }
    return Optional.of(before.file);
  }

  Secret secret(String name) {
    return client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName(name).get();
  }

  static String decoded(Secret secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
  }

  /** The file with the operator, by its token in the same Secret, and others. */
  static String file(Secret secret, String others) {
    return "{\"users\":[{\"name\":\"system:operator\",\"tokenSha256\":\""
        + Digests.sha256(decoded(secret, "operator-token"))
        + "\",\"observer\":true,\"rules\":[]}"
        + others
        + "]}";
  }

  static KeyRule rule(String prefix, KeyVerb... verbs) {
    return new KeyRule(new KeysSpec(prefix, null), List.of(verbs));
  }

  static AuthenticationSpec token() {
    return new AuthenticationSpec(AuthenticationType.TOKEN, null, null, null);
  }

  static AuthenticationSpec account(@Nullable String name, @Nullable String namespace) {
    return new AuthenticationSpec(
        AuthenticationType.SERVICE_ACCOUNT,
        null,
        null,
        new ServiceAccountReference(name, namespace));
  }

  void user(String name, AuthenticationSpec authentication, List<String> roles, KeyRule... rules) {
    KvorumUser user = new KvorumUser();
    user.setMetadata(named(name));
    user.setSpec(
        new KvorumUserSpec(
            FakeKubernetes.NAME, authentication, roles, List.of(rules), null, null, null));
    client.resource(user).create();
  }

  void role(String name, KeyRule... rules) {
    KvorumRole role = new KvorumRole();
    role.setMetadata(named(name));
    role.setSpec(new KvorumRoleSpec(FakeKubernetes.NAME, List.of(rules)));
    client.resource(role).create();
  }

  KvorumUser user(String name) {
    return client
        .resources(KvorumUser.class)
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(name)
        .get();
  }

  private static ObjectMeta named(String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(FakeKubernetes.NAMESPACE)
        .withGeneration(1L)
        .build();
  }
}
