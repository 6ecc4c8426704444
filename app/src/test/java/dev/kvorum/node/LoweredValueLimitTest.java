package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that were stored under a higher limit than the one of today. */
class LoweredValueLimitTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Quorum ALL = new Quorum(3, 3);
  private static final Quorum MAJORITY = new Quorum(2, 3);
  private static final Quorum ONE = new Quorum(1, 1);
  private static final byte[] LARGE = new byte[700_000];

  @TempDir private Path directory;
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @BeforeEach
  void makeACluster() {
    cluster = new LocalCluster(directory, 3);
  }

  @AfterEach
  void stop() {
    cluster.stopAll();
  }

  private List<Node> startAll() {
    List<Node> nodes = IntStream.range(0, 3).mapToObj(cluster::start).toList();
    await()
        .atMost(TIMEOUT)
        .until(() ->
            nodes.stream().allMatch(node -> node.peers().stream().allMatch(node::isConnected)));
    // Before they are complete their acknowledgements of a write do not count.
    await()
        .atMost(TIMEOUT)
        .until(() -> nodes.stream().noneMatch(node -> node.repair().rebuilding()));
    return nodes;
  }

  private static void write(Node node, Key key, Quorum quorum) {
    Change change = new Change.Put(LARGE, 0);
    assertThat(LocalCluster.on(node, 0, to -> to.write(key, quorum, change, () -> {})))
        .succeedsWithin(TIMEOUT)
        .isInstanceOf(WriteOutcome.Acknowledged.class);
  }

  private static void assertReadable(Node node, Key key, Quorum quorum) {
    assertThat(LocalCluster.on(node, 0, to -> to.read(key, quorum, bytes -> true)))
        .succeedsWithin(TIMEOUT)
        .isInstanceOfSatisfying(
            ReadOutcome.Found.class,
            found -> assertThat(found.record().value()).hasSize(LARGE.length));
  }

  @Test
  void areReadFromPeersAndBroughtToThem() {
    Key onAll = Key.of("on all");
    Key onOne = Key.of("on one");
    Key hinted = Key.of("hinted");
    Node first = startAll().getFirst();
    write(first, onAll, ALL);
    write(first, onOne, ONE);
    cluster.stop(2);
    write(first, hinted, MAJORITY);
    cluster.stopAll();

    cluster.set("kvorum.limits.value-max", "1KB");
    for (Node node : startAll()) {
      assertReadable(node, onAll, ALL);
      assertReadable(node, onOne, ONE);
      assertReadable(node, hinted, ALL);
    }
  }
}
