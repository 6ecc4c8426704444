package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.rpc.RemoteClockMonitor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A clock with a configured skew, and a node with such a clock. */
@ExtendWith(OutputCaptureExtension.class)
class WallClockTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  @Test
  void isTheMachinesOwnUnlessItIsSkewed(CapturedOutput output) {
    assertThat(WallClock.skewedBy(Duration.ZERO)).isEqualTo(InstantSource.system());
    assertThat(output).doesNotContain("kvorum.clock.skew");
  }

  @Test
  void isSkewedByTheSettingAndLogsIt(CapturedOutput output) {
    for (long skewMillis : new long[] {-3_600_000, 3_600_000}) {
      InstantSource clock = WallClock.skewedBy(Duration.ofMillis(skewMillis));
      long before = System.currentTimeMillis();
      long skewed = clock.millis();
      assertThat(skewed - skewMillis).isBetween(before, System.currentTimeMillis());
    }
    assertThat(output).contains("WARN", "PT-1H", "PT1H", "kvorum.clock.skew");
  }

  /** Its mark may be stored once more after its connections are closed. */
  @Test
  void aNodeWithAWrongClockStaysSuspendedWhileItStops(@TempDir Path directory) {
    LocalCluster cluster = new LocalCluster(directory, 2);
    try {
      cluster.start(0);
      Node ahead = cluster.prepare(1, WallClock.skewedBy(AN_HOUR));
      RemoteClockMonitor clocks = ahead.core().peerClocks();
      try (ahead) {
        ahead.start();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(clocks::isSuspended);
      }
      assertThat(clocks.isSuspended()).isTrue();
    } finally {
      cluster.stopAll();
    }
  }
}
