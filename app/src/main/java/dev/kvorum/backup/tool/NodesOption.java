package dev.kvorum.backup.tool;

import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.cli.ClientAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The nodes that a command orders to do the work. */
final class NodesOption {
  private static final Duration POLL = Duration.ofMillis(250);

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
          "nodes use the AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of their own environment; else"
              + " they are sent those of this command, by https or on this machine only")
  private boolean useNodeCredentials;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "PT6H",
      description = "longest duration, such as PT30M; then it is given up; default PT6H")
  private Duration timeout = Duration.ofHours(6);

  NodesOption() {}

  /** The time by {@link System#nanoTime} until which the nodes may take. */
  long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }

  /** Waits a moment until the nodes are asked again; fails after the deadline. */
  void pause(long deadline) throws InterruptedException {
    if (System.nanoTime() - deadline > 0) {
      throw KvorumBackup.failed("it was not complete within " + timeout);
    }
    Thread.sleep(POLL);
  }

  /** The states of the nodes that respond; names the others. */
  List<NodeState> connect(PrintWriter err) throws IOException, InterruptedException {
    List<NodeState> states = new ArrayList<>();
    for (String address : nodes) {
      NodeClient node = NodeClient.of(address, access);
      try {
        states.add(NodeState.of(node));
      } catch (NodeClient.RefusedException e) {
        throw e;
      } catch (IOException e) {
        err.println("Without it: " + e.getMessage());
      }
    }
    Set<String> names = new HashSet<>();
    for (NodeState state : states) {
      if (!names.add(state.name())) {
        throw KvorumBackup.wrong("--nodes has two addresses of " + state.name());
      }
    }
    return states;
  }

  /** Fields of an order for an object store: its URL and, if needed, credentials and key. */
  Map<String, Object> order(StoreOption store, NodeClient node) {
    Map<String, Object> order = new HashMap<>();
    Credentials credentials = store.credentials();
    if (!credentials.accessKeyId().isEmpty() && store.needsCredentials() && !useNodeCredentials) {
      order.put("accessKeyId", credentials.accessKeyId());
      order.put("secretAccessKey", credentials.secretAccessKey());
      credentials.sessionToken().ifPresent(token -> order.put("sessionToken", token));
    }
    store.key().ifPresent(key -> order.put("encryptionKey", key.format()));
    if (!order.isEmpty() && !node.isPrivate()) {
      throw KvorumBackup.wrong(
          "secrets would be sent to "
              + node
              + " unencrypted; use its https address (kvorum.tls.management). Nodes may have"
              + " credentials of their own (--node-credentials)");
    }
    order.put("store", store.url().toString());
    return order;
  }
}
