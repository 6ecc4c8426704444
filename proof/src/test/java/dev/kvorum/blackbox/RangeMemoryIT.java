package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Ranges that are larger than a node's memory, read by clients that are slow to take them. */
@ExtendWith(PrintsNodeLogs.class)
@Tag("latency")
class RangeMemoryIT {
  private static final int RECORDS = 4_000;
  private static final int VALUE_BYTES = 16_000;
  private static final int CLIENTS = 8;

  /** What the system's buffers between node and client may hold, and some parts on their way. */
  private static final long AHEAD_BYTES_MAX = 16 << 20;

  @Test
  void readsNoFurtherAheadOfSlowClientsThanTheirSocketsHold(@TempDir Path directory)
      throws IOException {
    List<RangeReader> readers = new ArrayList<>();
    try (NodeProcess node =
        new NodeProcess("alone", directory, Ports.free(), Map.of()).launch().awaitReady()) {
      fill(node.client());
      for (int i = 0; i < CLIENTS; i++) {
        readers.add(new RangeReader(node, "start=m"));
      }
      for (RangeReader reader : readers) {
        assertThat(reader.head().status()).isEqualTo(200);
        assertThat(reader.next()).isNotNull();
      }
      long handedOn = awaitPause(node);

      assertThat(handedOn * VALUE_BYTES).isLessThan(CLIENTS * AHEAD_BYTES_MAX);
      Awaitility.await("writes are served meanwhile, however slow the disk")
          .atMost(Duration.ofSeconds(30))
          .until(() -> node.client().put("z", "value").statusCode() == 201);
      try (RawConnection one = new RawConnection(node)) {
        one.send("GET /v0/entities?start=m HTTP/1.1\r\nHost: k\r\n\r\n");
        assertThat(one.read().status()).as("one more than there are places for").isEqualTo(503);
      }
      assertThat(readers.getFirst().rest()).hasSizeBetween(RECORDS - 1, RECORDS);

      long start = System.nanoTime();
      node.terminate();
      assertThat(node.awaitExit(Duration.ofSeconds(15))).as("clients still stall").isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      assertThat(node.log()).doesNotContain("\tat ", "OutOfMemory");
    } finally {
      for (RangeReader reader : readers) {
        reader.close();
      }
    }
  }

  private static void fill(Client client) {
    byte[] value = new byte[VALUE_BYTES];
    IntStream.range(0, RECORDS)
        .parallel()
        .forEach(i ->
            Awaitility.await("write " + i)
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(() -> client.put("m%06d".formatted(i), value, "").statusCode() == 201));
  }

  /** How many records the node has handed on once it hands on no more. */
  private static long awaitPause(NodeProcess node) {
    long[] last = {-1};
    Awaitility.await("nothing moves any more")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          long before = last[0];
          last[0] = handedOn(node);
          return last[0] > 0 && last[0] == before;
        });
    return last[0];
  }

  private static long handedOn(NodeProcess node) {
    return Client.text(node.management().path("/actuator/prometheus"))
        .lines()
        .filter(line -> line.startsWith("kvorum_ranges_records_total"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }
}
