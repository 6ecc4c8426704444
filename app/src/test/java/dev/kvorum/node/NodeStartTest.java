package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.config.NodeSettings;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.metrics.Meters;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.replace.ReplaceableStore;
import dev.kvorum.storage.replace.RocksStoreDisk;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.tracing.Tracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeStartTest {
  @TempDir private Path directory;
  private final Map<String, String> settings = new HashMap<>();

  @BeforeEach
  void aNodeAlone() {
    settings.put("kvorum.node.name", "alone");
    settings.put("kvorum.node.event-loops", "1");
    settings.put("kvorum.data-dir", directory.toString());
    settings.put("kvorum.storage.memory", "16MB");
    settings.put("kvorum.storage.disk-free-min", "1MB");
    settings.put("kvorum.rpc.port", LocalCluster.freePorts(1).getFirst().toString());
  }

  private Node node() {
    NodeSettings all = NodeSettings.of(LocalCluster.properties(settings));
    return new Node(
        all,
        all.peerTls(),
        InstantSource.system(),
        new Meters(new SimpleMeterRegistry()),
        Tracer.NONE);
  }

  @Test
  void aNodeAloneIsReadyAtOnce() {
    try (Node node = node()) {
      node.start();
      assertThat(node.ready()).succeedsWithin(Duration.ofSeconds(10));
      assertThat(node.isHealthy()).isTrue();
      assertThat(node.peers()).isEmpty();
    }
    assertThat(directory.resolve("founded")).as("written before it is closed").exists();
  }

  @Test
  void aNodeWhoseStoreTakesNoWritesDoesNotStart() {
    Node node = node();
    node.close();
    assertThatThrownBy(node::start)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("the store rejects writes");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0);
        Node node = withPort(taken.getLocalPort())) {
      assertThatThrownBy(node::start)
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " (kvorum.rpc.port)")
          .hasMessageContaining("in use");
    }
  }

  private Node withPort(int port) {
    settings.put("kvorum.rpc.port", Integer.toString(port));
    return node();
  }

  @Test
  void aForeignDirectoryIsNamed() throws IOException {
    Files.writeString(directory.resolve("holiday.jpg"), "x");
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("is not empty")
        .hasMessageContaining("kvorum.data-dir");
  }

  @Test
  void aDirectoryThatAnotherProcessHasOpenIsRejected() throws IOException {
    try (Node first = node()) {
      assertThat(first.isHealthy()).isTrue();
      String generation = Files.readString(directory.resolve("generation"));
      assertThatThrownBy(this::node)
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("another process is using it");
      assertThat(directory.resolve("generation")).hasContent(generation.strip());
    }
  }

  @Test
  void aStoreThatAnotherProcessHasOpenTakesNoGeneration() throws IOException {
    node().close();
    String generation = Files.readString(directory.resolve("generation"));
    StoreSettings store = NodeSettings.of(LocalCluster.properties(settings)).storage();
    try (ReplaceableStore other =
        ReplaceableStore.open(
            new RocksStoreDisk(
                store, CommitListener.NONE, new ChecksumVerifier(), InstantSource.system()),
            () -> OnCorruption.FAIL)) {
      assertThat(other.isFailed()).isFalse();
      assertThatThrownBy(this::node)
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining("another process is using it");
    }
    assertThat(directory.resolve("generation")).hasContent(generation.strip());
    try (Node node = node()) {
      assertThat(node.self().process().generation())
          .isGreaterThan(Long.parseLong(generation.strip()));
    }
  }

  @Test
  void aBadNameOrPeerIsRejectedWithItsSetting() {
    settings.put("kvorum.cluster.peers", "alone=localhost");
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("kvorum.cluster.peers must be NAME=HOST:PORT");
    settings.put("kvorum.node.name", "a b");
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("kvorum.node.name");
  }

  private void damageTheStore() throws IOException {
    node().close();
    Files.delete(directory.resolve("store").resolve("CURRENT"));
  }

  @Test
  void aNodeAloneRejectsADamagedStore() throws IOException {
    damageTheStore();
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("corrupted")
        .hasMessageContaining("keep a copy");
    assertThat(StoreFiles.like(directory, "store.set-aside", "")).isEmpty();
  }

  @Test
  void aNodeWithPeersPutsADamagedStoreAsideUnlessItIsToReject() throws IOException {
    settings.put("kvorum.cluster.peers", "alone=127.0.0.1:7400,other=127.0.0.1:7401");
    damageTheStore();
    settings.put("kvorum.storage.on-corruption", "fail");
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("corrupted");
    assertThat(StoreFiles.like(directory, "store.set-aside", "")).isEmpty();
    settings.put("kvorum.storage.on-corruption", "rebuild");
    try (Node node = node()) {
      assertThat(node.isHealthy()).isTrue();
      assertThat(StoreFiles.like(directory, "store.set-aside-", "")).hasSize(1);
    }
  }

  @Test
  void anUnknownWordForCorruptionIsReported() {
    settings.put("kvorum.storage.on-corruption", "ignore");
    assertThatThrownBy(this::node)
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining(
            "kvorum.storage.on-corruption is 'ignore'; it must be rebuild or fail");
  }

  @Test
  void aNodeAloneDoesNotResetItsStore() {
    try (Node node = node()) {
      assertThatThrownBy(() -> node.resetStore("for no reason"))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
