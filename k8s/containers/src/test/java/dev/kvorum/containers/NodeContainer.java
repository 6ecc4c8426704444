package dev.kvorum.containers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A node under the constraints of the operator's pods: user, read-only root file system, no
 * capabilities, Docker's seccomp profile, limits of memory and processors, a volume for its data.
 */
final class NodeContainer extends GenericContainer<NodeContainer> {
  /** The operator's default limit. */
  static final long MEMORY_BYTES = 768L << 20;

  /** A name that all nodes of a network have, as a Service has one. */
  static final String SERVICE = "kvorum";

  private static final int HTTP = 8080;
  private static final int MANAGEMENT = 8090;
  private static final long BILLION = 1_000_000_000;
  private static final Duration STARTUP_MAX = Duration.ofSeconds(60);
  private static final int LOG_LINES = 15;
  private static final List<NodeContainer> ALL = new CopyOnWriteArrayList<>();

  private final String name;
  private final Network network;
  private String lastLog = "";

  /**
   * A node that is not yet started.
   *
   * @param volume the name of the volume with its data
   * @param processors how many it may use
   */
  NodeContainer(String image, String name, Network network, String volume, int processors) {
    super(DockerImageName.parse(image));
    this.name = name;
    this.network = network;
    withNetwork(network);
    withNetworkAliases(name, SERVICE);
    withExposedPorts(HTTP, MANAGEMENT);
    withEnv("KVORUM_NODE_NAME", name);
    withJavaOptions("-XX:TieredStopAtLevel=1");
    // The disk of the machine that tests does not matter.
    withEnv("KVORUM_STORAGE_DISKFREEMIN", "1MB");
    withLabels(Docker.labels());
    withCreateContainerCmdModifier(create -> constrain(create, volume, processors));
    waitingFor(new Ready());
    ALL.add(this);
  }

  private void constrain(CreateContainerCmd create, String volume, int processors) {
    Constraints.apply(create, MEMORY_BYTES, "256m")
        .withNanoCPUs(processors * BILLION)
        .withBinds(new Bind(volume, new Volume("/data")));
    create.withUser("10001:10001").withHostName(name);
  }

  /** Waits for readiness, not beyond the end of the container. */
  private final class Ready extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {
      awaitReady();
    }
  }

  /**
   * Sets flags of the JVM beside those of the image. Without C2, which compiles what a node that
   * lives for seconds never repays, two processors carry a cluster.
   */
  NodeContainer withJavaOptions(String options) {
    return withEnv("JDK_JAVA_OPTIONS", "@/opt/kvorum/memory.args " + options);
  }

  /** For nodes that cannot become ready. */
  NodeContainer withoutWaiting() {
    waitingFor(
        new AbstractWaitStrategy() {
          @Override
          protected void waitUntilReady() {}
        });
    return this;
  }

  static Collection<NodeContainer> all() {
    return ALL;
  }

  String name() {
    return name;
  }

  /** Starts it and waits until it is ready; a failure names the cause. */
  @Override
  public void start() {
    try {
      super.start();
    } catch (ContainerLaunchException e) {
      throw new IllegalStateException(
          name
              + " did not start from "
              + getDockerImageName()
              + ": "
              + Throwables.root(e)
              + "; the end of its log:\n"
              + LogEnd.of(lastLog, LOG_LINES),
          e);
    }
  }

  /** Starts it again after it ended. */
  void startAgain() {
    Docker.client().startContainerCmd(getContainerId()).exec();
    awaitReady();
  }

  void awaitReady() {
    Awaitility.await(name + " is ready")
        .atMost(STARTUP_MAX)
        .pollInterval(Duration.ofMillis(100))
        .until(this::isReady);
  }

  private boolean isReady() {
    InspectContainerResponse.ContainerState state = state();
    if (!Boolean.TRUE.equals(state.getRunning())) {
      throw new IllegalStateException(
          "it ended with exit code "
              + state.getExitCodeLong()
              + (isOutOfMemory() ? " (out of memory)" : "")
              + "; the end of its log:\n"
              + LogEnd.of(getLogs(), LOG_LINES));
    }
    try {
      return management("/actuator/health/readiness").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private InspectContainerResponse.ContainerState state() {
    return getCurrentContainerInfo().getState();
  }

  boolean isOutOfMemory() {
    return Boolean.TRUE.equals(state().getOOMKilled());
  }

  /** SIGKILL. */
  void killNow() {
    Docker.client().killContainerCmd(getContainerId()).exec();
    Awaitility.await(name + " ended").until(() -> !Boolean.TRUE.equals(state().getRunning()));
  }

  /** SIGTERM, and SIGKILL a minute later; returns the exit code. */
  long terminate() {
    Docker.client().stopContainerCmd(getContainerId()).withTimeout(60).exec();
    return Objects.requireNonNull(state().getExitCodeLong());
  }

  /**
   * With control groups of version 1, runc gives up while a thread of the node waits for the disk.
   */
  void pause() {
    Awaitility.await(name + " paused")
        .ignoreException(InternalServerErrorException.class)
        .untilAsserted(() -> Docker.client().pauseContainerCmd(getContainerId()).exec());
  }

  void resume() {
    Docker.client().unpauseContainerCmd(getContainerId()).exec();
  }

  void disconnect() {
    Docker.client()
        .disconnectFromNetworkCmd()
        .withContainerId(getContainerId())
        .withNetworkId(network.getId())
        .exec();
  }

  /** Connects it again, perhaps with another address. */
  void reconnect() {
    Docker.client()
        .connectToNetworkCmd()
        .withContainerId(getContainerId())
        .withNetworkId(network.getId())
        .withContainerNetwork(new ContainerNetwork().withAliases(name, SERVICE))
        .exec();
  }

  /** The address of its public port on this machine. Docker gives another port at each start. */
  String address() {
    return getHost() + ":" + port(HTTP);
  }

  /** The address of its management port on this machine. */
  String managementAddress() {
    return getHost() + ":" + port(MANAGEMENT);
  }

  private int port(int inside) {
    return getCurrentContainerInfo()
        .getNetworkSettings()
        .getPorts()
        .getBindings()
        .entrySet()
        .stream()
        .filter(entry -> entry.getKey().getPort() == inside && entry.getValue() != null)
        .map(entry -> Integer.parseInt(entry.getValue()[0].getHostPortSpec()))
        .findFirst()
        .orElseThrow(
            () -> new UncheckedIOException(new IOException(name + " has no port " + inside)));
  }

  Http.Reply put(String key, String value) {
    return entity("PUT", key, value);
  }

  Http.Reply get(String key) {
    return entity("GET", key, "");
  }

  Http.Reply delete(String key) {
    return entity("DELETE", key, "");
  }

  private Http.Reply entity(String method, String key, String value) {
    return Http.send(method, uri(key), value);
  }

  private String uri(String key) {
    return "http://" + address() + "/v0/entity?id=" + key;
  }

  /** Stores a value with a media type and returns the status. */
  int putTyped(String key, String value, String type) {
    return Http.send(
            HttpRequest.newBuilder(URI.create(uri(key)))
                .PUT(HttpRequest.BodyPublishers.ofString(value))
                .header("Content-Type", type))
        .status();
  }

  /** The media type that a value is returned with. */
  String typeOf(String key) {
    return Http.response(HttpRequest.newBuilder(URI.create(uri(key))))
        .headers()
        .firstValue("content-type")
        .orElse("");
  }

  Http.Reply management(String path) {
    return Http.send("GET", "http://" + managementAddress() + path, "");
  }

  /** Its log, also after it was removed. */
  String log() {
    try {
      return getContainerId() == null ? lastLog : getLogs();
    } catch (RuntimeException e) {
      return lastLog;
    }
  }

  /** Forgets the containers that were removed. */
  static void dropStopped() {
    ALL.removeIf(node -> node.getContainerId() == null);
  }

  @Override
  public void stop() {
    lastLog = log();
    super.stop();
  }
}
