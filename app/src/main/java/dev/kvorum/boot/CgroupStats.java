package dev.kvorum.boot;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pod's CPU and memory as reported by the kernel in the files of its control group, version 2.
 * Without these files, as on a laptop, the values of the process and the machine replace them.
 *
 * @param memoryLimitBytes the limit, which the JVM reads from the group too
 * @param memoryUsedBytes used bytes without file caches that the kernel can drop at any time
 */
record CgroupStats(
    long memoryLimitBytes,
    long memoryUsedBytes,
    long residentBytes,
    long periods,
    long throttledPeriods,
    long throttledMicros) {
  private static final Path GROUP = Path.of("/sys/fs/cgroup");
  private static final Path PROCESS = Path.of("/proc/self/status");

  static CgroupStats now() {
    return of(GROUP, PROCESS);
  }

  /**
   * Reads the values.
   *
   * @param group directory of the control group
   * @param process status of the process
   */
  static CgroupStats of(Path group, Path process) {
    long resident = numbers(process).getOrDefault("VmRSS", 0L) << 10;
    Map<String, Long> cpu = numbers(group.resolve("cpu.stat"));
    long inUse = number(group.resolve("memory.current"));
    long droppable = numbers(group.resolve("memory.stat")).getOrDefault("inactive_file", 0L);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new CgroupStats(
        system.getTotalMemorySize(),
        inUse < 0 ? resident : Math.max(0, inUse - droppable),
        resident,
        cpu.getOrDefault("nr_periods", 0L),
        cpu.getOrDefault("nr_throttled", 0L),
        cpu.getOrDefault("throttled_usec", 0L));
  }

  private static long number(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  /** Parses lines with a name and an integer, whatever unit follows. */
  private static Map<String, Long> numbers(Path file) {
    Map<String, Long> numbers = new HashMap<>();
    for (String line : lines(file)) {
      String[] words = line.split("[:\\s]+", -1);
      if (words.length > 1 && words[1].matches("[0-9]{1,18}")) {
        numbers.put(words[0], Long.valueOf(words[1]));
      }
    }
    return numbers;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
