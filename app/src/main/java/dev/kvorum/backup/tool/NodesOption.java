package dev.kvorum.backup.tool;

import dev.kvorum.cli.ClientAccess;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the nodes that a command orders to do the work. */
final class NodesOption {
  @Option(
      names = "--nodes",
      paramLabel = "URL",
      required = true,
      split = ",",
      description = "management addresses of all nodes, such as http://localhost:8090,…")
  private List<String> nodes = List.of();

  @Mixin private final ClientAccess access = new ClientAccess();

  @Option(
      names = "--node-credentials",
      description =
          "nodes use credentials and encryption key of their own (kvorum.backup.secrets-dir, or their"
              + " environment); else they are sent those of this command, by https or on this machine"
              + " only")
  private boolean useNodeCredentials;

  @Mixin private final TimeoutOption timeout = new TimeoutOption();

  NodesOption() {}

  Nodes nodes() {
    return new Nodes(nodes, access, useNodeCredentials, timeout.value());
  }
}
