package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.StoreSettings;

/** Sizes and rates that follow from a node's memory and processors unless they are set. */
record RocksSizes(StoreSettings settings) {
  private static final long MIB = 1 << 20;
  private static final int JOBS_MAX = 8;

  long writeBufferBytes() {
    long chosen = settings.storage().writeBufferBytes();
    return chosen == 0 ? settings.memoryBytes() / 8 : chosen;
  }

  int backgroundJobs() {
    int chosen = settings.storage().backgroundJobs();
    if (chosen > 0) {
      return chosen;
    }
    // A compaction that moves many records must not keep those of other families waiting.
    int least = settings.storage().storesBlobs() ? 4 : 2;
    return Math.clamp(Runtime.getRuntime().availableProcessors(), least, JOBS_MAX);
  }

  long compactionBytesPerSecondMax() {
    long chosen = settings.storage().compactionBytesPerSecondMax();
    if (chosen > 0) {
      return chosen;
    }
    return settings.storage().storesBlobs() ? 96 * MIB : 64 * MIB;
  }
}
