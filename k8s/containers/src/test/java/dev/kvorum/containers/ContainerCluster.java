package dev.kvorum.containers;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import tools.jackson.databind.JsonNode;

/** Nodes on a network of their own, each with a volume that outlives its container. */
final class ContainerCluster implements AutoCloseable {
  private static final int RPC = 7400;

  private final Network network =
      Network.builder()
          .createNetworkCmdModifier(create -> create.withLabels(Docker.labels()))
          .build();
  private final List<String> volumes = new ArrayList<>();
  private final List<NodeContainer> nodes = new ArrayList<>();
  private final int processors;
  private final Consumer<NodeContainer> more;

  private ContainerCluster(int processors, Consumer<NodeContainer> more) {
    this.processors = processors;
    this.more = more;
  }

  /** Three nodes of the current image, ready and connected with each other. */
  static ContainerCluster three() {
    return of(3, Images.node(), 1, node -> {});
  }

  /**
   * Nodes that are ready and connected with each other.
   *
   * @param processors limit of each node
   * @param more what else each node's container needs
   */
  static ContainerCluster of(int size, String image, int processors, Consumer<NodeContainer> more) {
    ContainerCluster cluster = new ContainerCluster(processors, more);
    try {
      for (int i = 0; i < size; i++) {
        cluster.volumes.add(
            Docker.client().createVolumeCmd().withLabels(Docker.labels()).exec().getName());
      }
      for (int i = 0; i < size; i++) {
        cluster.nodes.add(cluster.container(i, image, cluster.volumes.get(i)));
      }
      Startables.deepStart(cluster.nodes).join();
      cluster.awaitComplete();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private NodeContainer container(int number, String image, String volume) {
    String peers =
        IntStream.range(0, volumes.size())
            .mapToObj(i -> name(i) + "=" + name(i) + ":" + RPC)
            .collect(Collectors.joining(","));
    NodeContainer node =
        new NodeContainer(image, name(number), network, volume, processors)
            .withEnv("KVORUM_CLUSTER_PEERS", peers);
    more.accept(node);
    return node;
  }

  private static String name(int number) {
    return "kvorum-" + number;
  }

  Network network() {
    return network;
  }

  List<NodeContainer> nodes() {
    return nodes;
  }

  NodeContainer node(int number) {
    return nodes.get(number);
  }

  /** Stops a node by SIGTERM, removes its container and makes another one on its volume. */
  NodeContainer replaceBy(int number, String image) {
    node(number).terminate();
    node(number).stop();
    return remake(number, image, number);
  }

  /** A container that is not started, on the volume of some node. */
  NodeContainer remake(int number, String image, int volume) {
    NodeContainer node = container(number, image, volumes.get(volume));
    nodes.set(number, node);
    return node;
  }

  String volume(int number) {
    return volumes.get(number);
  }

  /** Waits until all nodes are ready, connected with each other and without hints. */
  void awaitComplete() {
    nodes.forEach(NodeContainer::awaitReady);
    Awaitility.await("all nodes are connected and keep no hints")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .ignoreException(UncheckedIOException.class)
        .until(() -> nodes.stream().allMatch(ContainerCluster::isComplete));
  }

  private static boolean isComplete(NodeContainer node) {
    return members(node)
        .allMatch(
            member -> member.get("connected").asBoolean() && member.get("hints").asLong() == 0);
  }

  /** Whether one node is connected to another. */
  boolean isConnected(int from, int to) {
    return members(node(from))
        .anyMatch(member ->
            member.get("name").asString().equals(name(to)) && member.get("connected").asBoolean());
  }

  /** The members as a node sees them. */
  private static Stream<JsonNode> members(NodeContainer node) {
    return node.management("/actuator/kvorum").json().get("members").valueStream();
  }

  @Override
  public void close() {
    nodes.forEach(NodeContainer::stop);
    volumes.forEach(volume -> Docker.client().removeVolumeCmd(volume).exec());
    network.close();
  }
}
