package dev.kvorum.backup.tool;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The cluster of a command, where a store has backups of several. */
final class ClusterOption {
  @Option(
      names = "--cluster",
      paramLabel = "CLUSTER",
      description = "id of the cluster, where the store has backups of several")
  private @Nullable String cluster;

  ClusterOption() {}

  Optional<String> name() {
    return Optional.ofNullable(cluster);
  }

  /** Whether backups of a cluster are meant. */
  boolean includes(String name) {
    return cluster == null || cluster.equals(name);
  }
}
