package dev.kvorum.backup.tool;

import dev.kvorum.cli.ClientAccess;
import dev.kvorum.files.Directories;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A node without peers in a process of its own, which listens on this machine only. It is deleted
 * with all its records at the end, and if this process ends by a signal.
 */
final class ThrowAwayNode implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.1";

  /** Set by {@code app/bin/kvorum-backup}: the script that runs a node. */
  private static final String COMMAND = "kvorum.node-command";

  /** Set in the image, where there is no script: the arguments with which Java runs a node. */
  private static final String ARGUMENTS = "kvorum.node-arguments";

  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration STOP_MAX = Duration.ofSeconds(30);
  private static final int LOG_LINES = 20;

  private final Path directory;
  private final Process process;
  private final Thread deletion = new Thread(this::delete, "deletion of the throw-away node");
  private final int port;
  private final int managementPort;

  private ThrowAwayNode(Path directory, List<Integer> ports) throws IOException {
    this.directory = directory;
    this.port = ports.get(0);
    this.managementPort = ports.get(1);
    Map<String, Object> settings =
        Map.of(
            "server.address", ADDRESS,
            "server.port", port,
            "management.server.address", ADDRESS,
            "management.server.port", managementPort,
            "kvorum.rpc.address", ADDRESS,
            "kvorum.rpc.port", ports.get(2),
            "kvorum.node.name", "kvorum-drill",
            "kvorum.data-dir", directory.resolve("data"),
            // Nothing is to survive.
            "kvorum.storage.durability", "async");
    List<String> command = new ArrayList<>(launcher());
    settings.forEach((name, value) -> command.add("--" + name + "=" + value));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
    // Settings of other nodes.
    builder
        .environment()
        .keySet()
        .removeIf(name ->
            name.startsWith("KVORUM_")
                && !List.of("KVORUM_FILES", "KVORUM_JAVA_OPTS").contains(name));
    process = builder.start();
    Runtime.getRuntime().addShutdownHook(deletion);
  }

  /**
   * Starts a node.
   *
   * @param directory of its own
   */
  static ThrowAwayNode start(Path directory) throws IOException {
    return new ThrowAwayNode(directory, freePorts(3));
  }

  private static List<String> launcher() {
    String arguments = System.getProperty(ARGUMENTS);
    return arguments == null
        ? List.of(System.getProperty(COMMAND, "kvorum-node"))
        : List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), arguments);
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Address of its public port. */
  String url() {
    return "http://" + ADDRESS + ":" + port;
  }

  /** Address of its management port. */
  String management() {
    return "http://" + ADDRESS + ":" + managementPort;
  }

  /** Returns once it serves clients. */
  void awaitReady() throws IOException, InterruptedException {
    NodeClient node = NodeClient.of(management(), new ClientAccess());
    long deadline = System.nanoTime() + START_MAX.toNanos();
    while (true) {
      try {
        node.get("/actuator/health/readiness");
        return;
      } catch (IOException e) {
        if (!process.isAlive() || Nodes.isPast(deadline)) {
          throw new IOException(
              "the throw-away node did not start; its log ends with\n" + logEnd());
        }
      }
      Nodes.pause();
    }
  }

  private Path log() {
    return directory.resolve("node.log");
  }

  private String logEnd() throws IOException {
    List<String> lines = Files.readString(log(), StandardCharsets.UTF_8).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }

  private void delete() {
    try {
      if (process.destroyForcibly().waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
        Directories.delete(directory);
      }
    } catch (IOException e) {
      // What is left is in a directory for temporary files.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(deletion);
    delete();
  }
}
