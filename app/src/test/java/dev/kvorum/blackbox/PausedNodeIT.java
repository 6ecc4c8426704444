package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What clients sent to a node that was stopped for a while. */
@ExtendWith(PrintsNodeLogs.class)
class PausedNodeIT {
  @TempDir private static Path directory;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = new Cluster(directory, Map.of());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aWriteThatWaitedInASocketDoesNotCoverWhatItsClientWroteSince() throws IOException {
    NodeProcess stopped = cluster.node(1);
    Client other = cluster.node(0).client();
    assertThat(stopped.client().put("k", "first").statusCode()).isEqualTo(201);
    long pausedNanos;
    stopped.pause();
    try (RawConnection gaveUp = new RawConnection(stopped)) {
      pausedNanos = System.nanoTime();
      gaveUp.send("PUT /v0/entity?id=k HTTP/1.1\r\nHost: k\r\nContent-Length: 3\r\n\r\nold");
      assertThat(other.put("k", "new").statusCode()).isEqualTo(201);
      Awaitility.await("it was paused for more than two seconds")
          .until(() -> System.nanoTime() - pausedNanos > Duration.ofSeconds(4).toNanos());
      stopped.resume();
      // Or 504, where it was begun in the moment in which the node came to a halt.
      assertThat(gaveUp.readHead().status()).isIn(503, 504);
    } finally {
      stopped.resume();
    }
    assertThat(Client.text(other.get("k"))).isEqualTo("new");
    assertThat(stopped.log()).contains("event loop paused");
    Awaitility.await("it takes writes again")
        .until(() -> stopped.client().put("k", "last").statusCode() == 201);
  }
}
