package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.FaultLatency;
import dev.kvorum.blackbox.PrintsNodeLogs;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How long the clients of the other nodes wait when nothing comes from one node any more. */
@Tag("latency")
@ExtendWith(PrintsNodeLogs.class)
class CutLatencyIT {
  @TempDir private Path directory;

  @Test
  void staysLowWhenANodeIsCutOff() {
    try (Network network = Network.open(3)) {
      Assumptions.assumeTrue(
          network.kinds().contains(Faults.Kind.CUT_BOTH_WAYS), network.skipped());
      try (Cluster cluster = new Cluster(directory, network.places(), Map.of())) {
        FaultLatency.warmUp(cluster);
        cluster.awaitHintsDelivered();
        FaultLatency.assertQuickThrough(
            "a cut", cluster.nodes().subList(0, 2), () -> cutOff(network));
      }
    }
  }

  private static void cutOff(Network network) {
    for (int other = 0; other < 2; other++) {
      network.cut(2, other);
      network.cut(other, 2);
    }
  }
}
