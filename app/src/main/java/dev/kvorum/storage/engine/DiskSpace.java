package dev.kvorum.storage.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The free space of the store's disk as it was last sampled. */
public final class DiskSpace {
  private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

  private final LongSupplier probe;
  private final long freeMinBytes;
  private volatile long freeBytes;

  /**
   * Samples once.
   *
   * @param probe free bytes, or a negative number when it is unknown; may block
   * @param freeMinBytes below this the disk is nearly full
   */
  DiskSpace(LongSupplier probe, long freeMinBytes) {
    this.probe = probe;
    this.freeMinBytes = freeMinBytes;
    this.freeBytes = Long.MAX_VALUE;
    sample();
  }

  /** Free bytes of the disk that holds this directory; -1 when that is unknown. Blocks. */
  public static long usableBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      log.warn("cannot ask for the free space of {}", directory, e);
      return -1;
    }
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
