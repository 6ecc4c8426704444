package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes that cannot start with their configuration: they exit and log the reason. {@code
 * SettingRejectionTest} tries the settings one by one.
 */
@ExtendWith(PrintsNodeLogs.class)
class StartRejectionIT {
  private static final Cluster CLUSTER = SharedCluster.get();
  private static final NodeProcess OTHER = CLUSTER.node(0);

  @TempDir private Path directory;
  private NodeProcess node;

  @BeforeEach
  void prepare() {
    node = new NodeProcess("rejected", directory, Ports.free(), Map.of());
  }

  @AfterEach
  void end() {
    node.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server.prot              | 8080       | --server.prot is no setting; did you mean --server.port?",
        "server.port              | abc         | server.port is 'abc'; it must be a whole number",
        "kvorum.cluster.peers     | rejected=x:y | has no valid port",
      })
  void namesTheSettingThatIsWrong(String setting, String value, String words) {
    node.set(setting, value);

    assertRejected(words);
  }

  @Test
  void leavesADirectoryWithOtherFilesAlone() throws IOException {
    Path data = Files.createDirectory(directory.resolve("rejected"));
    Files.writeString(data.resolve("thesis.doc"), "precious");

    assertRejected("is not empty and has no 'identity' file (thesis.doc is there)");
    assertThat(data).isDirectoryContaining(file -> file.endsWith("thesis.doc"));
    try (var files = Files.list(data)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void doesNotTakeTheDataOfAnotherMember() {
    node.set("kvorum.data-dir", OTHER.setting("kvorum.data-dir"));

    assertRejected("belongs to member kvorum-0, this node is set to rejected");
  }

  @Test
  void doesNotShareADirectoryWithARunningProcess() {
    node.set("kvorum.data-dir", OTHER.setting("kvorum.data-dir"))
        .set("kvorum.node.name", OTHER.name())
        .set("kvorum.cluster.peers", CLUSTER.peers());

    assertRejected("another process is using it");
  }

  @Test
  void namesThePortForClientsThatIsTaken() {
    node.set("server.port", Integer.toString(OTHER.httpPort()));

    assertRejected("Port " + OTHER.httpPort() + " was already in use");
  }

  @Test
  void namesThePortForNodesThatIsTaken() {
    node.set("kvorum.rpc.port", OTHER.setting("kvorum.rpc.port"));

    assertRejected(OTHER.setting("kvorum.rpc.port"));
  }

  @Test
  void reportsThatItCannotWriteItsDirectory() throws IOException {
    Files.writeString(directory.resolve("rejected"), "a file");

    assertRejected("cannot be used");
  }

  @Test
  void needsTheFilesForTls() {
    node.set("kvorum.tls.http", "required").set("kvorum.tls.dir", directory.toString());

    assertRejected("kvorum.tls.dir is " + directory + "; there is no " + directory + "/http.crt");
  }

  @Test
  void endsAtOnceWhileItWaitsForATopology() {
    node.set("kvorum.kubernetes.topology", "kvorum").launch();
    Awaitility.await("it waits")
        .atMost(NodeProcess.STARTUP_MAX)
        .until(() -> node.log().contains("is waiting for a topology that lists it"));
    node.terminate();
    node.awaitExit(Duration.ofSeconds(10));
  }

  private void assertRejected(String words) {
    assertThat(node.launch().awaitExit(NodeProcess.STARTUP_MAX)).isNotZero();
    String log = node.log();
    String lastLines = log.lines().skip(Math.max(0, log.lines().count() - 12)).toList().toString();
    assertThat(lastLines).contains(words);
    assertThat(log).doesNotContain("\tat ");
  }
}
