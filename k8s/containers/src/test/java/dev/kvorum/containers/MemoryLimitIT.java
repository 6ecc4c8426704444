package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The operator's default memory limit holds one node under many small keys and more large values
 * than its caches take.
 */
@ContainerTest
class MemoryLimitIT {
  private static final int KEYS = 100_000;
  private static final int LARGE_KEYS = 300;
  private static final int MIB = 1 << 20;
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  @Test
  void holdsUnderManyKeysAndValuesOfOneMebibyte() throws Exception {
    try (ContainerCluster cluster =
        ContainerCluster.of(
            1,
            Images.node(),
            2,
            // What waits for no disk comes faster, and the compilers need memory as well.
            node -> node.withEnv("KVORUM_STORAGE_DURABILITY", "async").withJavaOptions(""))) {
      NodeContainer node = cluster.node(0);
      try (Pipeline pipeline = new Pipeline(node.address(), 8)) {
        pipeline.putAll("small-", KEYS, 100);
      }
      try (Pipeline pipeline = new Pipeline(node.address(), 2)) {
        pipeline.putAll("large-", LARGE_KEYS, MIB);
        pipeline.getAll("large-", LARGE_KEYS, MIB);
      }
      assertThat(node.get("small-" + (KEYS - 1)).body()).hasSize(100);
      assertThat(node.isOutOfMemory()).as("killed by the kernel").isFalse();
      Matcher peak = PEAK.matcher(node.execInContainer("cat", "/proc/1/status").getStdout());
      assertThat(peak.find()).isTrue();
      long bytes = Long.parseLong(peak.group(1)) << 10;
      System.out.println(
          "peak resident memory "
              + (bytes >> 20)
              + " MiB of "
              + (NodeContainer.MEMORY_BYTES >> 20));
      // 640 MiB on two processors: the kernel must not come into play.
      assertThat(bytes).isLessThan(NodeContainer.MEMORY_BYTES / 100 * 95);
    }
  }
}
