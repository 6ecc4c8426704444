package dev.kvorum.operator.resources;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The division of a member's memory limit, in bytes, such that no part can grow into the limit. The
 * heap gets at most a third. The other parts are direct memory, the JVM's own memory, slack for
 * uncounted memory (malloc, threads, page tables), and the rest for RocksDB's one cache with a
 * strict limit.
 *
 * @param heapBytes {@code -Xmx}
 * @param directBytes {@code -XX:MaxDirectMemorySize}
 * @param storeBytes {@code kvorum.storage.memory}
 * @param slackBytes left unassigned
 */
public record MemoryBudget(long heapBytes, long directBytes, long storeBytes, long slackBytes) {
  private static final long MIB = 1 << 20;

  /** Smallest limit with which a node is worth running. */
  public static final long LIMIT_MIN = 512 * MIB;

  /** Limit of a member if the spec sets none. */
  public static final String LIMIT_DEFAULT = "768Mi";

  /** Metaspace (96 of at most 160 in use), code cache, stacks and the JVM's own structures. */
  private static final long JVM_BYTES = 176 * MIB;

  /**
   * The heap holds requests in progress, not records: beyond this size, memory is more useful as
   * cache.
   */
  private static final long HEAP_MAX = 2048 * MIB;

  /** Flags that the budget or the image sets, and others with the same effect. */
  private static final Pattern OWN_FLAGS =
      Pattern.compile(
          "^(@|-Xm[sxn]|-mx|-ms"
              + "|-XX:(MaxHeapSize|InitialHeapSize|MinHeapSize|SoftMaxHeapSize|MaxDirectMemorySize"
              + "|MaxMetaspaceSize|ReservedCodeCacheSize|ActiveProcessorCount|MaxRAM\\w*"
              + "|InitialRAM\\w*|MinRAM\\w*)=|-XX:[+-]ExitOnOutOfMemoryError"
              + "|-XX:\\+Use(?!Serial)\\w+GC$)");

  private static final long DIRECT_MIN = 48 * MIB;
  private static final long DIRECT_MAX = 512 * MIB;

  /**
   * Divides a limit of at least {@link #LIMIT_MIN} bytes.
   *
   * @throws IllegalArgumentException if the limit is smaller
   */
  public static MemoryBudget of(long limitBytes) {
    if (limitBytes < LIMIT_MIN) {
      throw new IllegalArgumentException("a limit of " + limitBytes + " bytes is too small");
    }
    long heap = down(Math.min(limitBytes / 3, HEAP_MAX));
    long direct = down(Math.clamp(limitBytes / 12, DIRECT_MIN, DIRECT_MAX));
    long slack = down(Math.max(limitBytes / 100 * 14, 64 * MIB));
    long store = limitBytes - JVM_BYTES - heap - direct - slack;
    return new MemoryBudget(heap, direct, down(store), slack);
  }

  private static long down(long bytes) {
    return bytes / MIB * MIB;
  }

  /** Returns the JVM's flags. */
  public String javaOptions(int processors) {
    return String.join(
        " ",
        "-Xms" + heapBytes / MIB / 2 + "m",
        "-Xmx" + heapBytes / MIB + "m",
        "-XX:MaxDirectMemorySize=" + directBytes / MIB + "m",
        "-XX:MaxMetaspaceSize=160m",
        "-XX:ReservedCodeCacheSize=64m",
        "-XX:ActiveProcessorCount=" + processors,
        "-XX:+ExitOnOutOfMemoryError");
  }

  /**
   * Returns the first flag of a user that would change the division of the memory or the processors
   * that it counts on; empty if there is none. A file of flags could have any.
   */
  static Optional<String> conflict(String javaOptions) {
    return Arrays.stream(javaOptions.strip().split("\\s+"))
        .filter(flag -> OWN_FLAGS.matcher(flag.replaceAll("[\"']", "")).find())
        .findFirst();
  }

  /** Returns the value of {@code kvorum.storage.memory}. In Spring, 1 MB is 2^20 bytes. */
  public String storeSetting() {
    return storeBytes / MIB + "MB";
  }
}
