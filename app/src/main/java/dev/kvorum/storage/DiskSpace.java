package dev.kvorum.storage;

import java.util.function.LongSupplier;

/** The free space of the store's disk as it was last sampled. */
final class DiskSpace {
  private final LongSupplier probe;
  private final long freeMinBytes;
  private volatile long freeBytes;

  /**
   * Samples once.
   *
   * @param probe free bytes, or a negative number when it cannot say; may block
   * @param freeMinBytes below this the disk is nearly full
   */
  DiskSpace(LongSupplier probe, long freeMinBytes) {
    this.probe = probe;
    this.freeMinBytes = freeMinBytes;
    this.freeBytes = Long.MAX_VALUE;
    sample();
  }

  /** Asks the disk; blocks as the disk does. */
  void sample() {
    long sampled = probe.getAsLong();
    if (sampled >= 0) {
      freeBytes = sampled;
    }
  }

  long freeBytes() {
    return freeBytes;
  }

  boolean isNearlyFull() {
    return freeBytes < freeMinBytes;
  }
}
