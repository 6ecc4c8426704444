package dev.kvorum.blackbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How long the clients of the other nodes wait when one node dies or hangs. */
@Tag("latency")
@ExtendWith(PrintsNodeLogs.class)
class FaultLatencyIT {
  @TempDir private static Path directory;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = new Cluster(directory, Map.of());
    FaultLatency.warmUp(cluster);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void makeComplete() {
    cluster.launchStopped();
    cluster.awaitComplete();
    cluster.awaitHintsDelivered();
  }

  @Test
  void staysLowWhenANodeIsKilled() {
    FaultLatency.assertQuickThrough("kill -9", others(), cluster.node(2)::kill);
  }

  @Test
  void staysLowWhenANodeHangs() {
    try {
      FaultLatency.assertQuickThrough("SIGSTOP", others(), cluster.node(2)::pause);
    } finally {
      cluster.node(2).resume();
    }
  }

  private static List<NodeProcess> others() {
    return List.of(cluster.node(0), cluster.node(1));
  }
}
