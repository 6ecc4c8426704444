package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.security.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two members that change to TLS between them, one after the other. */
@ExtendWith(PrintsNodeLogs.class)
class PeerTlsIT {
  private static final X509Bundle CA = TestCertificates.authority();

  private @TempDir Path directory;

  @Test
  void changesToTlsNodeByNodeAndServesAllTheWhile() throws IOException {
    try (Cluster two =
        new Cluster(
            directory,
            Collections.nCopies(2, Place.LOCALHOST),
            Map.of(
                "kvorum.cluster.name",
                "shop",
                "kvorum.tls.dir",
                directory.toString(),
                "kvorum.tls.connection-age-max",
                "1s"))) {
      for (NodeProcess node : two.nodes()) {
        X509Bundle own = TestCertificates.member(CA, "shop", node.name(), Duration.ofDays(30));
        TestCertificates.writeMember(directory, node.name(), own, CA);
      }
      assertWritten(two);
      for (String mode : new String[] {"permissive", "required"}) {
        for (NodeProcess node : two.nodes()) {
          node.terminate();
          node.awaitExit(Duration.ofSeconds(20));
          node.set("kvorum.tls.peer", mode).launch();
          two.awaitComplete();
          assertWritten(two);
        }
        for (NodeProcess node : two.nodes()) {
          assertThat(Client.text(node.management().path("/actuator/prometheus")))
              .as("at %s, %s", node.name(), mode)
              .containsPattern("kvorum_tls_peer_connections_plain\\{.*} 0\\.0")
              .containsPattern("kvorum_tls_certificate_expiry.*port=\"peer\".*} 1\\.\\d+E9");
        }
      }
    }
  }

  /** On both members, so through a connection from each to the other. */
  private static void assertWritten(Cluster two) {
    byte[] value = "value".getBytes(StandardCharsets.UTF_8);
    for (NodeProcess node : two.nodes()) {
      // The first request of a process takes long on a busy machine.
      Awaitility.await("written by " + node.name())
          .until(() -> node.client().put("key", value, "&ack=2&from=2").statusCode() == 201);
    }
  }
}
