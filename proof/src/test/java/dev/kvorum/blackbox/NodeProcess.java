package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A node in a process of its own, which may be killed, paused, stopped and started again. */
public final class NodeProcess implements AutoCloseable {
  /** How long a node may take to start on a machine that has other things to do. */
  static final Duration STARTUP_MAX = Duration.ofSeconds(90);

  private static final List<NodeProcess> ALL = new CopyOnWriteArrayList<>();
  private static final Path SCRIPT = Path.of("..", "app", "bin", "kvorum-node").toAbsolutePath();
  private static final Path JAR = Path.of("..", "app", "target", "node", "kvorum-app.jar");

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> ALL.forEach(NodeProcess::close)));
  }

  private final String name;
  private final Place place;
  private final Path log;
  // Clients look at settings while the next start's are being changed.
  private final Map<String, String> settings = Collections.synchronizedMap(new LinkedHashMap<>());
  private final Client client;
  private final Client management;
  private String apiServer = "http://127.0.0.1:1";
  private @Nullable Process process;

  /**
   * A node that is not yet started.
   *
   * @param directory for its data and its log
   */
  NodeProcess(String name, Path directory, int rpcPort, Map<String, String> more) {
    this(name, Place.LOCALHOST, directory, rpcPort, more);
  }

  NodeProcess(String name, Place place, Path directory, int rpcPort, Map<String, String> more) {
    this.name = name;
    this.place = place;
    this.log = directory.resolve(name + ".log");
    int httpPort = Ports.free();
    int managementPort = Ports.free();
    this.client = new Client(place.address(), httpPort);
    this.management = new Client(place.address(), managementPort);
    settings.put("server.port", Integer.toString(httpPort));
    settings.put("management.server.port", Integer.toString(managementPort));
    settings.put("kvorum.rpc.port", Integer.toString(rpcPort));
    settings.put("kvorum.node.name", name);
    settings.put("kvorum.data-dir", directory.resolve(name).toString());
    // The disk of the machine that tests is none of the node's business.
    settings.put("kvorum.storage.disk-free-min", "1MB");
    settings.putAll(more);
    ALL.add(this);
  }

  static List<NodeProcess> all() {
    return ALL;
  }

  /** Changes a setting for the next start. */
  public NodeProcess set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Makes the next start use an API server of Kubernetes. */
  NodeProcess useApiServer(String url) {
    apiServer = url;
    return this;
  }

  /** Starts the process and returns at once. */
  public NodeProcess launch() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException(name + " runs");
    }
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // The Kubernetes of the machine that tests is none of the node's business.
      builder.environment().put("KUBERNETES_MASTER", apiServer);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(place.runner());
    if (Files.isExecutable(SCRIPT) && Files.exists(JAR)) {
      command.add(SCRIPT.toString());
    } else {
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--sun-misc-unsafe-memory-access=allow",
              "--enable-native-access=ALL-UNNAMED",
              "-XX:+UseCompactObjectHeaders",
              "-XX:+UseSerialGC",
              "-Xmx256m",
              "-cp",
              classPath,
              "dev.kvorum.KvorumApplication"));
    }
    settings.forEach((key, value) -> command.add("--" + key + "=" + value));
    return command;
  }

  /** Waits until the node reports that it is ready for clients. */
  public NodeProcess awaitReady() {
    Awaitility.await(name + " is ready")
        .atMost(STARTUP_MAX)
        .pollInterval(Duration.ofMillis(100))
        .failFast(name + " has ended", () -> !running().isAlive())
        .until(this::isReady);
    return this;
  }

  private boolean isReady() {
    try {
      return management.path("/actuator/health/readiness").statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** Its member name. */
  public String name() {
    return name;
  }

  /** A setting of the next start, empty when it is the default. */
  public String setting(String key) {
    return settings.getOrDefault(key, "");
  }

  int httpPort() {
    return client.port();
  }

  /** The way to its public port. */
  public Client client() {
    return client;
  }

  /** The way to its management port. */
  public Client management() {
    return management;
  }

  /** Everything that the node has logged since it was first started. */
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  /** Takes all that it keeps away, as a new disk would; not while it runs. */
  public void wipe() {
    if (isRunning()) {
      throw new IllegalStateException(name + " runs");
    }
    wipe(Path.of(setting("kvorum.data-dir")));
  }

  /** Removes the data directory of a node that does not run. */
  public static void wipe(Path dataDirectory) {
    try {
      FileSystemUtils.deleteRecursively(dataDirectory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it as a power cut would. */
  public void kill() {
    running().destroyForcibly();
    awaitExit(Duration.ofSeconds(10));
  }

  /** SIGTERM; returns at once. */
  public void terminate() {
    running().destroy();
  }

  /**
   * SIGSTOP. Returns once all threads have stopped, where the system tells: on a busy machine they
   * run on for some 20 ms.
   */
  public void pause() {
    signal("STOP");
    Path threads = Path.of("/proc", Long.toString(pid()), "task");
    Awaitility.await("stopped").until(() -> isStopped(threads));
  }

  private static boolean isStopped(Path threads) throws IOException {
    if (!Files.exists(threads)) {
      return true;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        if (!Files.readString(thread.resolve("stat")).contains(") T ")) {
          return false;
        }
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String signal) {
    try {
      int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start().waitFor();
      assertThat(code).as("kill -%s", signal).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The process's id. */
  long pid() {
    return running().pid();
  }

  /** Whether there is a process, paused or not. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Waits for its end and returns the exit code. */
  public int awaitExit(Duration atMost) {
    try {
      assertThat(running().waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS))
          .as("%s ends within %s", name, atMost)
          .isTrue();
      return running().exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().join();
    }
    ALL.remove(this);
  }
}
