package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.rocks.LogCorruption;
import dev.kvorum.storage.rocks.LogCorruption.Tear;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All nodes lose power at once, and what their disks hold then. */
@ExtendWith(PrintsNodeLogs.class)
class PowerLossIT {
  private static final int RECORDS = 150;

  @TempDir private static Path directory;
  private static Cluster cluster;

  private final String prefix = "power-" + Seeds.uuid() + "-";
  private final RandomGenerator random = Seeds.random();
  private final Map<NodeProcess, Integer> logged = new HashMap<>();

  @BeforeAll
  static void start() {
    cluster = new Cluster(directory, Map.of());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void write() {
    cluster.awaitRebuilt();
    cluster.awaitHintsDelivered();
    for (int i = 0; i < RECORDS; i++) {
      write(cluster.node(i % 3), i);
    }
    cluster.nodes().forEach(node -> logged.put(node, node.log().length()));
  }

  /** A rejected write is repeated: a disk may just have held up the node's clock. */
  private void write(NodeProcess node, int i) {
    Awaitility.await(key(i) + " is written at " + node.name())
        .atMost(Duration.ofSeconds(10))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> {
          HttpResponse<byte[]> answer = node.client().put(key(i), value(i));
          if (answer.statusCode() != 201) {
            System.out.println(node.name() + ": " + Client.text(answer));
          }
          assertThat(answer.statusCode()).isIn(201, 503);
          return answer.statusCode() == 201;
        });
  }

  private String key(int i) {
    return prefix + i;
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

  private List<NodeProcess> nodesThatSetTheirStoreAside() {
    return cluster.nodes().stream()
        .filter(node -> node.log().substring(logged.getOrDefault(node, 0)).contains("aside"))
        .toList();
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

  private boolean isRead(NodeProcess node, int number) {
    HttpResponse<byte[]> answer = node.client().get(key(number));
    assertThat(answer.statusCode()).as(key(number)).isNotEqualTo(404);
    if (answer.statusCode() == 200) {
      assertThat(Client.text(answer)).isEqualTo(value(number));
    }
    return answer.statusCode() == 200;
  }

  private void assertNothingIsLostBehind(Tear tear) {
    whileAllAreDown(node -> LogCorruption.tear(store(node), tear, random));
    assertNothingIsLost();
    assertThat(nodesThatSetTheirStoreAside()).isEmpty();
  }

  @Test
  void losesNothingBehindATornTailOfAllLogs() {
    List<Tear> tears = List.of(Tear.values());
    Tear tear = tears.get(random.nextInt(tears.size()));
    System.out.println(tear);
    assertNothingIsLostBehind(tear);
  }

  @Tag("chaos")
  @ParameterizedTest
  @EnumSource
  void losesNothingBehindAnyTornTailOfAllLogs(Tear tear) {
    assertNothingIsLostBehind(tear);
  }

  @Tag("chaos")
  @Test
  void losesNothingWhenTheLogsOfTwoMembersAreCorrupted() {
    whileAllAreDown(node -> {
      if (node != cluster.node(0)) {
        LogCorruption.flip(store(node), random);
      }
    });
    assertNothingIsLost();
    assertThat(nodesThatSetTheirStoreAside()).hasSize(2);
  }

  @Tag("chaos")
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
