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

/**
 * The nodes that a command orders to do the work.
 *
 * @param addresses of their management ports
 * @param useNodeCredentials whether they use those of their own environment
 * @param timeout longest duration of the work
 */
record Nodes(
    List<String> addresses, ClientAccess access, boolean useNodeCredentials, Duration timeout) {
  private static final Duration POLL = Duration.ofMillis(250);

  Nodes {
    addresses = List.copyOf(addresses);
  }

  /** The time by {@link System#nanoTime} until which the nodes may take. */
  long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }

  static boolean isPast(long deadline) {
    return System.nanoTime() - deadline > 0;
  }

  /** Waits a moment until the nodes are asked again; fails after the deadline. */
  void pause(long deadline) throws InterruptedException {
    if (isPast(deadline)) {
      throw KvorumBackup.failed("it was not complete within " + timeout);
    }
    pause();
  }

  /** Waits a moment until the nodes are asked again. */
  static void pause() throws InterruptedException {
    Thread.sleep(POLL);
  }

  /** The states of the nodes that respond; names the others. */
  List<NodeState> connect(PrintWriter err) throws IOException, InterruptedException {
    List<NodeState> states = new ArrayList<>();
    for (String address : addresses) {
      NodeClient node = NodeClient.of(address, access);
      try {
        states.add(NodeState.of(node));
      } catch (NodeClient.RejectedException e) {
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
    if (useNodeCredentials) {
      store.key().ifPresent(key -> order.put("encryptionKeyId", key.id()));
    } else {
      order.putAll(secrets(store));
      if (!order.isEmpty() && !node.isPrivate()) {
        throw KvorumBackup.wrong(
            "secrets would be sent to "
                + node
                + " unencrypted; use its https address (kvorum.tls.management). Nodes may have"
                + " secrets of their own (--node-credentials)");
      }
    }
    order.put("store", store.url().toString());
    return order;
  }

  private static Map<String, String> secrets(StoreOption store) {
    Map<String, String> secrets = new HashMap<>();
    Credentials credentials = store.credentials();
    if (!credentials.accessKeyId().isEmpty() && store.needsCredentials()) {
      secrets.put("accessKeyId", credentials.accessKeyId());
      secrets.put("secretAccessKey", credentials.secretAccessKey());
      credentials.sessionToken().ifPresent(token -> secrets.put("sessionToken", token));
    }
    store.key().ifPresent(key -> secrets.put("encryptionKey", key.format()));
    return secrets;
  }
}
