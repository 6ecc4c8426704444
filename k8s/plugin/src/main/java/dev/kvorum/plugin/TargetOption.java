package dev.kvorum.plugin;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the cluster that a command is about. */
final class TargetOption {
  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "NAME",
      description = "name of the KvorumCluster; default: the only one of the namespace")
  private @Nullable String cluster;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "default: that of kubectl's context")
  private @Nullable String namespace;

  @Option(names = "--context", paramLabel = "NAME", description = "context of the kubeconfig")
  private @Nullable String context;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "default: $KUBECONFIG, or ~/.kube/config")
  private @Nullable Path kubeconfig;

  TargetOption() {}

  /** Connects to the API server; the caller closes it. */
  Target target() {
    return Target.of(kubeconfig, context, namespace, cluster);
  }
}
