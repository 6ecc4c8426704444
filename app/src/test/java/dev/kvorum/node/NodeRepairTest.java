package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repair with real disks and sockets. */
class NodeRepairTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int KEYS = 300;

  @TempDir private Path directory;
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void startAll() {
    cluster = new LocalCluster(directory, 3);
    nodes.addAll(cluster.startAll());
    await().atMost(TIMEOUT).until(() -> nodes.stream().noneMatch(NodeRepairTest::isRebuilding));
  }

  @AfterEach
  void stopAll() {
    cluster.stopAll();
  }

  private static boolean isRebuilding(Node node) {
    return node.repair().rebuilding();
  }

  /** Writes all keys to all nodes; again where a busy machine has held up a clock's mark. */
  private void writeToAll() {
    await().atMost(TIMEOUT).until(this::isWrittenToAll);
  }

  private boolean isWrittenToAll() {
    Quorum all = new Quorum(3, 3);
    List<CompletableFuture<WriteOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of("key " + i);
      Change change = new Change.Put(new byte[i * 10], 0);
      outcomes.add(
          LocalCluster.on(nodes.getFirst(), i, to -> to.write(key, all, change, () -> {})));
    }
    return outcomes.stream()
        .map(CompletableFuture::join)
        .allMatch(outcome -> outcome instanceof WriteOutcome.Acknowledged);
  }

  /** Reads each key from the first replica that answers, which is the node itself if it may. */
  private void assertHasAll(Node node) {
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of("key " + i);
      assertThat(LocalCluster.on(node, i, to -> to.read(key, new Quorum(1, 3), bytes -> true)))
          .succeedsWithin(TIMEOUT)
          .isInstanceOf(ReadOutcome.Found.class);
    }
  }

  private void wipe(int index) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("n" + index))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aLostDiskIsFilledByTheOthers() throws IOException {
    writeToAll();
    cluster.stop(2);
    wipe(2);
    Node again = cluster.start(2);
    await().atMost(TIMEOUT).until(() -> !isRebuilding(again));
    assertHasAll(again);
    assertThat(again.repair().slotsBack()).isEqualTo(4096);
  }

  @Test
  void nodesThatMetAreComparedWithinSeconds() {
    writeToAll();
    await()
        .atMost(TIMEOUT)
        .until(() -> nodes.stream().allMatch(node -> node.repair().slotsNeverCompared() == 0));
    for (Node node : nodes) {
      assertThat(node.repair().oldestComparison()).isPresent();
      assertThat(node.repair().peers()).allMatch(peer -> peer.pulled().isPresent());
    }
  }
}
