package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A node without peers. */
@ExtendWith(PrintsNodeLogs.class)
class OneNodeIT {
  @Test
  void servesAloneStopsCleanlyAndRejectsPutsOnAFullDisk(@TempDir Path directory)
      throws IOException {
    try (NodeProcess node =
        new NodeProcess("alone", directory, Ports.free(), Map.of()).launch().awaitReady()) {
      Client client = node.client();
      assertThat(client.put("kept", "value").statusCode()).isEqualTo(201);
      assertThat(Client.text(client.get("kept"))).isEqualTo("value");
      assertThat(client.get("kept", "&ack=1&from=1").statusCode()).isEqualTo(200);
      assertProblem(client.get("kept", "&from=2"), 400, "invalid-quorum");
      assertProblem(client.get("kept", "&ack=2"), 400, "invalid-quorum");
      JsonNode state = node.management().json("/actuator/kvorum");
      assertThat(state.get("members")).hasSize(1);

      try (RawConnection idle = new RawConnection(node);
          RawConnection stuck = new RawConnection(node)) {
        stuck.send("PUT /v0/entity?id=stuck HTTP/1.1\r\nHost: k\r\nContent-Length: 9\r\n\r\nx");
        idle.send("GET /v0/entity?id=kept HTTP/1.1\r\nHost: k\r\n\r\n").read();
        long start = System.nanoTime();
        node.terminate();
        assertThat(node.awaitExit(Duration.ofSeconds(15))).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      }

      node.set("kvorum.storage.disk-free-min", "1000000GB").launch().awaitReady();
      assertThat(Client.text(client.get("kept"))).isEqualTo("value");
      HttpResponse<byte[]> full = OpenApi.read().check(client.put("new", "value"));
      assertProblem(full, 507, "disk-full");
      assertThat(Client.text(full))
          .contains(
              " MB free, and PUT is rejected below 1024000000 MB (kvorum.storage.disk-free-min)");
      assertThat(node.log()).contains("The disk of the data directory is nearly full");
      assertProblem(client.get("new"), 404, "not-found");
      assertThat(Client.text(client.get("kept"))).isEqualTo("value");
      assertThat(client.delete("kept").statusCode()).isEqualTo(202);
      HttpResponse<byte[]> gone = client.get("kept");
      assertProblem(gone, 404, "not-found");
    }
  }
}
