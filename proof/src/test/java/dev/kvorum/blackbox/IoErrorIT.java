package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One I/O error of a running node's disk. */
@Tag("chaos")
@ExtendWith(PrintsNodeLogs.class)
class IoErrorIT {
  private static final Duration RECOVERED_MAX = Duration.ofSeconds(60);

  private final List<String> acknowledged = new ArrayList<>();

  private int status(NodeProcess node, String group) {
    return node.management().path("/actuator/health/" + group).statusCode();
  }

  private int put(NodeProcess node, int number) {
    String key = "key-" + number;
    int status = node.client().put(key, "value of " + key).statusCode();
    if (status == 201) {
      acknowledged.add(key);
    }
    return status;
  }

  private void assertNothingIsLost(NodeProcess node) {
    for (String key : acknowledged) {
      assertThat(Client.text(node.client().get(key))).isEqualTo("value of " + key);
    }
  }

  @Test
  void aNodeIsReadyAgainAfterAFailedFsyncAndHasLostNothing(@TempDir Path directory)
      throws IOException {
    try (NodeProcess node =
        new NodeProcess("alone", directory, Ports.free(), Map.of()).launch().awaitReady()) {
      for (int i = 0; i < 100; i++) {
        assertThat(put(node, i)).isEqualTo(201);
      }
      try (FailingSync failing = FailingSync.of(node, directory.resolve("strace.log"))) {
        failing.awaitFailure();
      }
      assertThat(put(node, 100)).isNotEqualTo(201);
      assertThat(status(node, "readiness")).isEqualTo(503);
      assertNothingIsLost(node);

      long failed = System.nanoTime();
      Awaitility.await("ready again")
          .atMost(RECOVERED_MAX)
          .until(() -> status(node, "readiness") == 200);
      System.out.printf("ready after %d ms%n", (System.nanoTime() - failed) / 1_000_000);
      assertThat(status(node, "liveness")).isEqualTo(200);
      for (int i = 101; i < 200; i++) {
        assertThat(put(node, i)).isEqualTo(201);
      }
      assertNothingIsLost(node);

      node.kill();
      node.launch().awaitReady();
      assertNothingIsLost(node);
    }
  }
}
