package dev.kvorum.operator.resources;

/**
 * How a member's memory limit is divided, in bytes, so that no part can grow into the limit: heap
 * at a third, direct memory, what the JVM itself takes, slack for uncounted memory (malloc,
 * threads, page tables), and the rest for RocksDB's one strict cache.
 *
 * @param heapBytes {@code -Xmx}
 * @param directBytes {@code -XX:MaxDirectMemorySize}
 * @param storeBytes {@code kvorum.storage.memory}
 * @param slackBytes left unassigned
 */
public record MemoryBudget(long heapBytes, long directBytes, long storeBytes, long slackBytes) {
  private static final long MIB = 1 << 20;

  /** The least with which a node is worth running. */
  public static final long LIMIT_MIN = 512 * MIB;

  /** What a member gets where the spec sets nothing. */
  public static final String LIMIT_DEFAULT = "768Mi";

  /** Metaspace (96 of at most 160 in use), code cache, stacks and the JVM's own structures. */
  private static final long JVM_BYTES = 176 * MIB;

  /** The heap holds requests under way, not records: beyond this, memory serves better as cache. */
  private static final long HEAP_MAX = 2048 * MIB;

  private static final long DIRECT_MIN = 48 * MIB;
  private static final long DIRECT_MAX = 512 * MIB;

  /**
   * The division of a limit of at least {@link #LIMIT_MIN} bytes.
   *
   * @throws IllegalArgumentException for less
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

  /** The JVM's flags. */
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

  /** {@code kvorum.storage.memory}; Spring's MB are 2^20 bytes. */
  public String storeSetting() {
    return storeBytes / MIB + "MB";
  }
}
