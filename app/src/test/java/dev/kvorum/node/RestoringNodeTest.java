package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.backup.restore.NodeRestore;
import dev.kvorum.backup.restore.RestoreStatus.Phase;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are prepared for a backup. */
class RestoringNodeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String ID = "20261128T181239Z-0a1b2c3d";
  private static final Key KEY = Key.of("k");

  @TempDir private Path directory;
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @BeforeEach
  void start() {
    cluster = new LocalCluster(directory, 3);
    cluster.startAll();
  }

  @AfterEach
  void stop() {
    cluster.stopAll();
  }

  private NodeRestore restore(int index) {
    Node node = cluster.node(index);
    return new NodeRestore(
        node.core().background(),
        node.restores(),
        NodeSettings.of(cluster.properties(index)).storage(),
        directory.resolve("restore-" + index),
        8);
  }

  private WriteOutcome put(int index) {
    byte[] value = "value".getBytes(StandardCharsets.UTF_8);
    CompletableFuture<WriteOutcome> outcome =
        LocalCluster.on(
            cluster.node(index),
            0,
            coordinator ->
                coordinator.write(KEY, new Quorum(2, 3), new Change.Put(value, 0), () -> {}));
    return outcome.join();
  }

  private ReadOutcome read(int index) {
    CompletableFuture<ReadOutcome> outcome =
        LocalCluster.on(
            cluster.node(index),
            0,
            coordinator -> coordinator.read(KEY, new Quorum(2, 3), bytes -> true));
    return outcome.join();
  }

  @Test
  void replicasDoNotVoteAndKeepTombstonesUntilTheRestoreIsFinished() throws IOException {
    for (int i = 0; i < 3; i++) {
      Node node = cluster.node(i);
      await("clocks are known")
          .atMost(TIMEOUT)
          .until(() -> node.core().background().trustedMillis().isPresent());
    }
    restore(0).prepare(ID, 1);
    restore(1).prepare(ID, 1);
    restore(1).prepare(ID, 1);
    assertThat(read(2)).as("a node that is not prepared").isInstanceOf(ReadOutcome.NoQuorum.class);
    assertThat(cluster.node(0).core().background().trustedMillis())
        .as("no tombstone is removed")
        .isEmpty();
    assertThat(restore(0).status().phase()).isEqualTo(Phase.WAITING);
    assertThatThrownBy(() -> restore(0).prepare(ID.replace('d', 'e'), 1))
        .hasMessage("backup " + ID + " is being restored");

    cluster.stop(0);
    cluster.start(0);
    assertThat(cluster.node(0).core().background().isRestoring()).as("after a restart").isTrue();
    assertThatThrownBy(() -> restore(0).finish(ID.replace('d', 'e')))
        .isInstanceOf(IllegalStateException.class);
    restore(0).finish(ID);
    restore(1).finish(ID);
    restore(1).finish(ID);
    assertThat(restore(0).status().phase()).isEqualTo(Phase.NONE);
    await("reads are answered")
        .atMost(TIMEOUT)
        .until(() -> read(2) instanceof ReadOutcome.NotFound);
  }

  @Test
  void aPreparedNodeWhoseClockIsBehindIsNotPreparedAgain() throws IOException {
    restore(0).prepare(ID, 1);
    assertThatThrownBy(() -> restore(0).prepare(ID, late()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("clock is");
    assertThat(cluster.node(0).core().background().isRestoring()).isTrue();
    assertThatThrownBy(() -> restore(1).prepare("20261328T181239Z-0a1b2c3d", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no id of a backup");
  }

  @Test
  void onlyWhatIsNotTakenBackCountsAsFinished() throws IOException {
    restore(0).undo(ID);
    restore(0).prepare(ID, 1);
    assertThatThrownBy(() -> restore(0).undo(ID.replace('d', 'e')))
        .isInstanceOf(IllegalStateException.class);
    restore(0).undo(ID);
    assertThat(restore(0).status().phase()).isEqualTo(Phase.NONE);
    assertThat(restore(0).status().finished()).isEmpty();
    restore(0).prepare(ID, 1);
    restore(0).finish(ID);
    assertThat(restore(0).status().finished()).isEqualTo(ID);
  }

  private static long late() {
    return Version.stampOf(System.currentTimeMillis() + 60_000);
  }

  @Test
  void onlyAnEmptyNodeWhoseClockIsNotBehindIsPrepared() throws IOException {
    assertThatThrownBy(() -> restore(0).prepare(ID, late()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("clock is");
    assertThat(put(0)).isInstanceOf(WriteOutcome.Acknowledged.class);
    await("the record is everywhere")
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThatThrownBy(() -> restore(2).prepare(ID, 1))
                .hasMessageContaining("a backup needs an empty cluster"));
    assertThat(cluster.node(2).core().background().isRestoring()).isFalse();
  }
}
