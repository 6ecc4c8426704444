package dev.kvorum.blackbox;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Nodes of one cluster. */
public final class Cluster implements AutoCloseable {
  private final List<NodeProcess> nodes;
  private final String peers;

  /** Starts three nodes and waits until each is ready, sees the others and votes. */
  Cluster(Path directory, Map<String, String> settings) {
    this(directory, Collections.nCopies(3, Place.LOCALHOST), settings);
  }

  /** Starts a node in each place; waits until each is ready, sees the others and votes. */
  public Cluster(Path directory, List<Place> places, Map<String, String> settings) {
    List<String> names = names(places.size());
    List<Integer> ports = places.stream().map(place -> Ports.free()).toList();
    peers =
        IntStream.range(0, places.size())
            .mapToObj(i -> names.get(i) + "=" + places.get(i).address() + ":" + ports.get(i))
            .collect(Collectors.joining(","));
    nodes =
        IntStream.range(0, places.size())
            .mapToObj(i ->
                new NodeProcess(names.get(i), places.get(i), directory, ports.get(i), settings))
            .toList();
    nodes.forEach(node -> node.set("kvorum.cluster.peers", peers));
    launchStopped();
    awaitComplete();
    // A node that is late for the founding is rebuilt first, and reads of all replicas fail.
    awaitRebuilt();
  }

  /** What the nodes of a cluster of some size are called. */
  public static List<String> names(int size) {
    return IntStream.range(0, size).mapToObj(i -> "kvorum-" + i).toList();
  }

  /** Its nodes, by number. */
  public List<NodeProcess> nodes() {
    return nodes;
  }

  NodeProcess node(int number) {
    return nodes.get(number);
  }

  /** What the nodes were given as their list of members. */
  String peers() {
    return peers;
  }

  /** Starts the nodes that do not run. */
  public void launchStopped() {
    nodes.stream().filter(node -> !node.isRunning()).forEach(NodeProcess::launch);
  }

  /** Waits until all nodes are ready and see each other. */
  public void awaitComplete() {
    nodes.forEach(NodeProcess::awaitReady);
    Awaitility.await("all nodes see each other")
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> nodes.stream().allMatch(node -> seesAll(node)));
  }

  private boolean seesAll(NodeProcess node) {
    return nodes.stream().allMatch(other -> sees(node, other));
  }

  /** Whether one node is connected to another. */
  static boolean sees(NodeProcess node, NodeProcess other) {
    return member(node, other).get("connected").asBoolean();
  }

  /** How many hints one node keeps for another. */
  static long hints(NodeProcess node, NodeProcess other) {
    return member(node, other).get("hints").asLong();
  }

  private static JsonNode member(NodeProcess node, NodeProcess other) {
    return node.management()
        .json("/actuator/kvorum")
        .get("members")
        .valueStream()
        .filter(member -> member.get("name").asString().equals(other.name()))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until one node has noticed that another one is gone. */
  void awaitMissed(NodeProcess gone) {
    Awaitility.await(gone.name() + " is missed")
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> nodes.stream().noneMatch(node -> node != gone && sees(node, gone)));
  }

  /** Waits until no node keeps hints any more. */
  public void awaitHintsDelivered() {
    Awaitility.await("all hints are delivered")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .ignoreException(UncheckedIOException.class)
        .until(() ->
            nodes.stream()
                .allMatch(node -> nodes.stream().allMatch(other -> hints(node, other) == 0)));
  }

  /** Waits until no node is rebuilt or reads a corrupted store. */
  public void awaitRebuilt() {
    Awaitility.await("all nodes are rebuilt")
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .ignoreException(UncheckedIOException.class)
        .until(() -> nodes.stream().noneMatch(Cluster::isRebuilding));
  }

  private static boolean isRebuilding(NodeProcess node) {
    return node.management().json("/actuator/kvorum").get("rebuilding").asBoolean();
  }

  /**
   * How many nodes hold a copy that clients could read. A read at one of three asks the node that
   * takes it; several of them, since a slow disk lets it ask another one.
   */
  long copies(String key) {
    return nodes.stream().filter(node -> hasCopy(node, key)).count();
  }

  static boolean hasCopy(NodeProcess node, String key) {
    long found =
        IntStream.range(0, 5)
            .filter(i -> node.client().get(key, "&ack=1&from=3").statusCode() == 200)
            .count();
    return found > 2;
  }

  @Override
  public void close() {
    nodes.forEach(NodeProcess::close);
  }
}
