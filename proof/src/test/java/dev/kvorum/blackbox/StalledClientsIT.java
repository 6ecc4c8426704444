package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for large values and take nothing, on a node with little memory for these. */
@ExtendWith(PrintsNodeLogs.class)
class StalledClientsIT {
  @TempDir private static Path directory;

  @Test
  void keepTheOthersOutForAShortTimeOnly() throws IOException {
    Map<String, String> settings =
        Map.of("kvorum.limits.in-flight-memory", "4MB", "kvorum.limits.stall-timeout", "1s");
    List<RawConnection> deaf = new ArrayList<>();
    try (NodeProcess node =
        new NodeProcess("deaf", directory, Ports.free(), settings).launch().awaitReady()) {
      assertThat(node.client().put("large", new byte[1 << 20], "").statusCode()).isEqualTo(201);
      // What the system's buffers take is out of the node's memory.
      String gets = "GET /v0/entity?id=large HTTP/1.1\r\nHost: k\r\n\r\n".repeat(20);
      for (int i = 0; i < 12; i++) {
        deaf.add(new RawConnection(node).send(gets));
      }
      Awaitility.await("the memory is used up")
          .atMost(Duration.ofSeconds(20))
          .until(() -> node.client().put("small", "v").statusCode() == 503);
      // Long before they would be idle for kvorum.limits.idle-timeout.
      Awaitility.await("others are served again")
          .atMost(Duration.ofSeconds(20))
          .until(() -> node.client().put("small", "v").statusCode() == 201);
    } finally {
      for (RawConnection connection : deaf) {
        connection.close();
      }
    }
  }
}
