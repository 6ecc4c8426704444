package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.TopologyMember;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster in a namespace, and the connection to its API server. */
final class Target implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final KubernetesClient client;
  private final String namespace;
  private final @Nullable String wanted;

  Target(KubernetesClient client, String namespace, @Nullable String wanted) {
    this.client = client;
    this.namespace = namespace;
    this.wanted = wanted;
  }

  static Target of(
      @Nullable Path kubeconfig,
      @Nullable String context,
      @Nullable String namespace,
      @Nullable String cluster) {
    if (kubeconfig != null) {
      if (!Files.isReadable(kubeconfig)) {
        throw wrong(kubeconfig + " cannot be read");
      }
      System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString());
    }
    Config config = configuration(kubeconfig, context);
    if (context != null
        && (config.getCurrentContext() == null
            || !config.getCurrentContext().getName().equals(context))) {
      throw wrong("the kubeconfig has no context " + context);
    }
    if (config.getCurrentContext() == null && System.getenv("KUBERNETES_SERVICE_HOST") == null) {
      throw wrong("there is no kubeconfig: set KUBECONFIG, or name one with --kubeconfig");
    }
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(config)
                    .withConnectionTimeout(TIMEOUT_MILLIS)
                    .withRequestTimeout(TIMEOUT_MILLIS)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    String current = Objects.requireNonNullElse(client.getNamespace(), "default");
    return new Target(client, Objects.requireNonNullElse(namespace, current), cluster);
  }

  private static Config configuration(@Nullable Path file, @Nullable String context) {
    try {
      return Config.autoConfigure(context);
    } catch (RuntimeException e) {
      // Of several kinds, whose messages have lines of the file.
      throw wrong((file == null ? "the kubeconfig" : file) + " is not a kubeconfig in YAML");
    }
  }

  static CommandException wrong(String message) {
    return new CommandException(CommandException.WRONG, message);
  }

  static CommandException failed(String message) {
    return new CommandException(CommandException.FAILED, message);
  }

  /** Why the API server did not do what was asked. */
  static String sentence(KubernetesClientException rejected) {
    if (rejected.getStatus() != null && rejected.getStatus().getMessage() != null) {
      return "The API server rejects it: " + rejected.getStatus().getMessage();
    }
    Throwable cause = rejected;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return "The API server does not respond: "
        + Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
  }

  KubernetesClient client() {
    return client;
  }

  String namespace() {
    return namespace;
  }

  /** The clusters that are meant: one by name, or all of the namespace. */
  List<KvorumCluster> clusters() {
    if (wanted != null) {
      return List.of(cluster());
    }
    List<KvorumCluster> all =
        client.resources(KvorumCluster.class).inNamespace(namespace).list().getItems();
    if (all.isEmpty()) {
      throw failed("There is no KvorumCluster in the namespace " + namespace);
    }
    return all.stream()
        .sorted(Comparator.comparing(cluster -> cluster.getMetadata().getName()))
        .toList();
  }

  /** The same, where a command names the cluster; null: it does not. */
  Target of(@Nullable String name) {
    if (name != null && wanted != null && !name.equals(wanted)) {
      throw wrong("Which one is meant, " + wanted + " or " + name + "?");
    }
    return name == null ? this : new Target(client, namespace, name);
  }

  /** The one cluster that is meant. */
  KvorumCluster cluster() {
    if (wanted != null) {
      return Optional.ofNullable(clusters(wanted).get())
          .orElseThrow(() ->
              failed("There is no KvorumCluster " + wanted + " in the namespace " + namespace));
    }
    List<KvorumCluster> all = clusters();
    if (all.size() > 1) {
      throw wrong(
          "Which one is meant? The namespace "
              + namespace
              + " has "
              + all.stream().map(it -> it.getMetadata().getName()).toList()
              + "; name one with --cluster");
    }
    return all.getFirst();
  }

  private Resource<KvorumCluster> clusters(String name) {
    return client.resources(KvorumCluster.class).inNamespace(namespace).withName(name);
  }

  /** The cluster as it is now, which was there before. */
  KvorumCluster existing(String name) {
    return Optional.ofNullable(clusters(name).get())
        .orElseThrow(() -> failed("The cluster was deleted"));
  }

  /**
   * Sets a field of a cluster's spec and returns the generation of the spec since then.
   *
   * @param json the value; {@code null} as a text: removes it
   */
  long patchSpec(String name, String field, String json) {
    KvorumCluster patched =
        clusters(name)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\": {\"" + field + "\": " + json + "}}");
    return Objects.requireNonNullElse(patched.getMetadata().getGeneration(), 0L);
  }

  /** The topology of a cluster, by the same name. */
  Resource<KvorumTopology> topology(String cluster) {
    return client.resources(KvorumTopology.class).inNamespace(namespace).withName(cluster);
  }

  /** The names of the members; before there is a topology, of the pods. */
  List<String> members(KvorumCluster cluster) {
    KvorumTopology topology = topology(cluster.getMetadata().getName()).get();
    return topology == null
        ? pods(cluster).stream().map(it -> it.getMetadata().getName()).toList()
        : topology.getSpec().members().stream().map(TopologyMember::name).toList();
  }

  /** The pods of a cluster, in the order of their ordinals. */
  List<Pod> pods(KvorumCluster cluster) {
    Map<String, String> labels =
        Map.of(
            "app.kubernetes.io/name",
            "kvorum",
            "app.kubernetes.io/instance",
            cluster.getMetadata().getName());
    return client.pods().inNamespace(namespace).withLabels(labels).list().getItems().stream()
        .sorted(Comparator.comparingInt(pod -> ordinal(pod.getMetadata().getName())))
        .toList();
  }

  private static int ordinal(String pod) {
    try {
      return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }

  static boolean isReady(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  @Override
  public void close() {
    client.close();
  }
}
