package dev.kvorum.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupStatsTest {
  @TempDir private Path group;
  private Path process;

  @BeforeEach
  void writeStatus() throws IOException {
    process = group.resolve("status");
    Files.writeString(process, "Name:\tjava\nVmPeak:\t 900 kB\nVmRSS:\t  300 kB\nThreads:\t40\n");
  }

  @Test
  void readsTheControlGroupOfAPod() throws IOException {
    Files.writeString(group.resolve("memory.current"), "1000000\n");
    Files.writeString(group.resolve("memory.stat"), "anon 600000\ninactive_file 250000\n");
    Files.writeString(
        group.resolve("cpu.stat"),
        "usage_usec 5\nnr_periods 100\nnr_throttled 7\nthrottled_usec 123456\n");

    CgroupStats pod = CgroupStats.of(group, process);

    assertThat(pod.memoryUsedBytes()).isEqualTo(750_000);
    assertThat(pod.residentBytes()).isEqualTo(300 * 1024);
    assertThat(pod.periods()).isEqualTo(100);
    assertThat(pod.throttledPeriods()).isEqualTo(7);
    assertThat(pod.throttledMicros()).isEqualTo(123_456);
    assertThat(pod.memoryLimitBytes()).isPositive();
  }

  @Test
  void takesTheProcessWhereThereIsNoControlGroup() {
    CgroupStats pod = CgroupStats.of(group.resolve("none"), process);

    assertThat(pod.memoryUsedBytes()).isEqualTo(300 * 1024);
    assertThat(pod.periods()).isZero();
    assertThat(pod.throttledMicros()).isZero();
  }

  @Test
  void readsThisProcess() {
    assertThat(CgroupStats.now().memoryLimitBytes()).isPositive();
  }
}
