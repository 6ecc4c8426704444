package dev.kvorum.plugin;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options for the cluster that a command is about, before and after its name. */
final class TargetOption {
  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "name of the KvorumCluster; default: the only one of the namespace")
  private @Nullable String cluster;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "default: that of kubectl's context")
  private @Nullable String namespace;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "context of the kubeconfig")
  private @Nullable String context;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "default: $KUBECONFIG, or ~/.kube/config")
  private @Nullable Path kubeconfig;

  TargetOption() {}

  /** Connects to the API server; the caller closes it. */
  Target target() {
    return Target.of(kubeconfig, context, namespace, cluster);
  }
}
