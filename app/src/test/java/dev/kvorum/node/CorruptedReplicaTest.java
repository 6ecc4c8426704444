package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.storage.rocks.StoreFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** What two replicas hold is found while the files of the third are corrupted. */
class CorruptedReplicaTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int KEYS = 300;

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
    List<Node> nodes = cluster.startAll();
    await()
        .atMost(TIMEOUT)
        .until(() ->
            nodes.stream().allMatch(node -> node.peers().stream().allMatch(node::isConnected)));
    return nodes;
  }

  private static byte[] value(int i) {
    return ("value " + i + " ").repeat(60).getBytes(StandardCharsets.UTF_8);
  }

  private static void writeEverywhere(List<Node> nodes) {
    List<CompletableFuture<WriteOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of("key " + i);
      Change put = new Change.Put(value(i), 0);
      outcomes.add(
          LocalCluster.on(
              nodes.get(i % 3), i, to -> to.write(key, new Quorum(3, 3), put, () -> {})));
    }
    for (CompletableFuture<WriteOutcome> outcome : outcomes) {
      assertThat(outcome).succeedsWithin(TIMEOUT).isInstanceOf(WriteOutcome.Acknowledged.class);
    }
  }

  private static void assertAllFoundFrom(Node node) {
    for (int i = 0; i < KEYS; i++) {
      Key key = Key.of("key " + i);
      CompletableFuture<ReadOutcome> read =
          LocalCluster.on(node, i, to -> to.read(key, new Quorum(2, 3), bytes -> true));
      assertThat(read).succeedsWithin(TIMEOUT).isInstanceOf(ReadOutcome.Found.class);
      ReadOutcome.Found found = (ReadOutcome.Found) read.join();
      assertThat(found.record().value()).isEqualTo(value(i));
    }
  }

  private Path store(int node) {
    return directory.resolve("n" + node).resolve("store");
  }

  private List<Path> aside(int node) {
    return StoreFiles.like(directory.resolve("n" + node), "store.set-aside-", "");
  }

  @Test
  void quorumReadsFindEverythingWhileAStoreIsCorruptedAndReplaced() {
    writeEverywhere(startAll());
    cluster.stopAll();
    // A start moves what was in the log into tables.
    startAll();
    cluster.stop(2);
    Path table =
        StoreFiles.tables(store(2)).stream()
            .max(Comparator.comparingLong(file -> file.toFile().length()))
            .orElseThrow();
    for (int part = 1; part < 8; part++) {
      StoreFiles.flip(table, part * table.toFile().length() / 10);
    }
    Node damaged = cluster.start(2);
    assertThat(damaged.ready()).succeedsWithin(TIMEOUT);

    for (int round = 0; round < 3; round++) {
      for (int node = 0; node < 3; node++) {
        assertAllFoundFrom(cluster.node(node));
      }
    }
    await().atMost(TIMEOUT).until(() -> aside(2).size() == 1);
    await().atMost(TIMEOUT).until(damaged::isHealthy);
    assertAllFoundFrom(damaged);
    assertThat(aside(0)).isEmpty();
    assertThat(aside(1)).isEmpty();
  }

  @Test
  void anEmptyStoreHasNoVoteWhileNobodyCanFillIt() {
    startAll();
    cluster.stopAll();
    // One that has lived before does not ask what it may have missed.
    Node node = startAll().get(1);
    cluster.stop(0);
    cluster.stop(2);
    assertThat(node.resetStore("away too long")).succeedsWithin(TIMEOUT);
    // Runs after all tasks that the loop received meanwhile.
    LocalCluster.on(node, 0, to -> Mono.just(1)).join();
    assertThat(node.repair().rebuilding()).isTrue();
  }

  @Test
  void aNodeStartsOverWhenItIsAskedTo() {
    List<Node> nodes = startAll();
    writeEverywhere(nodes);
    assertThat(nodes.get(1).resetStore("away too long")).succeedsWithin(TIMEOUT);
    // Without a vote until the others have filled it again.
    assertThat(aside(1)).hasSize(1);
    nodes.forEach(CorruptedReplicaTest::assertAllFoundFrom);
    writeEverywhere(nodes);
  }
}
