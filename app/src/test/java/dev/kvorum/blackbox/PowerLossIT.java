package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.rocks.LogCorruption;
import dev.kvorum.storage.rocks.LogCorruption.Tear;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All nodes lose power at once, and what their disks hold then. */
@ExtendWith(PrintsNodeLogs.class)
class PowerLossIT {
  private static final int RECORDS = 150;

  @TempDir private Path directory;
  private final RandomGenerator random = Seeds.random();
  private Cluster cluster;

  @BeforeEach
  void write() {
    cluster = new Cluster(directory, Map.of());
    for (int i = 0; i < RECORDS; i++) {
      assertThat(cluster.node(i % 3).client().put(key(i), value(i)).statusCode()).isEqualTo(201);
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static String key(int i) {
    return "power-" + i;
  }

  private static String value(int i) {
    return ("value " + i + " ").repeat(20);
  }

  private static Path store(NodeProcess node) {
    return Path.of(node.setting("kvorum.data-dir"), "store");
  }

  private void whileAllAreDown(Consumer<NodeProcess> damage) {
    cluster.nodes().parallelStream().forEach(NodeProcess::kill);
    cluster.nodes().forEach(damage);
    cluster.launchStopped();
    cluster.awaitComplete();
  }

  /** Every record is read at every node in the end, and is never reported absent before. */
  private void assertNothingIsLost() {
    for (NodeProcess node : cluster.nodes()) {
      for (int i = 0; i < RECORDS; i++) {
        int number = i;
        Awaitility.await(key(i) + " at " + node.name())
            .atMost(Duration.ofSeconds(30))
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(50))
            .until(() -> isRead(node, number));
      }
    }
  }

  private static boolean isRead(NodeProcess node, int number) {
    HttpResponse<byte[]> answer = node.client().get(key(number));
    assertThat(answer.statusCode()).as(key(number)).isNotEqualTo(404);
    if (answer.statusCode() == 200) {
      assertThat(Client.text(answer)).isEqualTo(value(number));
    }
    return answer.statusCode() == 200;
  }

  @ParameterizedTest
  @EnumSource
  void losesNothingBehindTornTailsOfAllLogs(Tear tear) {
    whileAllAreDown(node -> LogCorruption.tear(store(node), tear, random));
    assertNothingIsLost();
    assertThat(cluster.nodes()).noneMatch(node -> node.log().contains("aside"));
  }

  @Test
  void losesNothingWhenTheLogsOfTwoMembersAreCorrupted() {
    whileAllAreDown(node -> {
      if (node != cluster.node(0)) {
        LogCorruption.flip(store(node), random);
      }
    });
    assertNothingIsLost();
    assertThat(cluster.nodes()).filteredOn(node -> node.log().contains("aside")).hasSize(2);
  }

  @Test
  void losesNothingWhenTablesOfTwoMembersAreCorrupted() {
    // A start puts into tables what is in the log.
    whileAllAreDown(node -> {});
    whileAllAreDown(node -> {
      if (node != cluster.node(0)) {
        LogCorruption.flipTables(store(node), random);
      }
    });
    assertNothingIsLost();
  }
}
