package dev.kvorum.plugin;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What requests to the nodes of a cluster need: CAs and tokens, as far as the user may read them.
 */
final class Access {
  private final Target target;
  private final KvorumCluster cluster;

  Access(Target target, KvorumCluster cluster) {
    this.target = target;
    this.cluster = cluster;
  }

  private String name() {
    return cluster.getMetadata().getName();
  }

  private KvorumClusterSpec spec() {
    return cluster.getSpec();
  }

  /** PEM text of the CAs of its certificates for clients; empty if there is none. */
  Optional<String> authorities() {
    Optional<String> given = spec().security().secret();
    if (given.isPresent()) {
      return value(secret(given.get()), "http.crt");
    }
    ConfigMap map =
        target.client().configMaps().inNamespace(target.namespace()).withName(name() + "-ca").get();
    return Optional.ofNullable(map).map(ConfigMap::getData).map(data -> data.get("ca.crt"));
  }

  /** The token by which the operator reads reports; empty where nodes have no users. */
  Optional<String> operatorToken() {
    return spec().needsUsers()
        ? value(secret(name() + "-auth"), "operator-token")
        : Optional.empty();
  }

  /** The token of a KvorumUser. */
  String token(String user) {
    return value(secret(user + "-token"), "token")
        .orElseThrow(() ->
            Target.failed(
                "The KvorumUser "
                    + user
                    + " has no Secret "
                    + user
                    + "-token in the namespace "
                    + target.namespace()));
  }

  private @Nullable Secret secret(String name) {
    return target.client().secrets().inNamespace(target.namespace()).withName(name).get();
  }

  private static Optional<String> value(@Nullable Secret secret, String key) {
    return Optional.ofNullable(secret)
        .map(it -> Objects.requireNonNullElse(it.getData(), Map.<String, String>of()).get(key))
        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
  }
}
