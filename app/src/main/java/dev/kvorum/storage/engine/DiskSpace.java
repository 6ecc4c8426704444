package dev.kvorum.storage.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Free space of the store's disk, as of the last sample. */
public final class DiskSpace {
  private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

  private final LongSupplier probe;
  private final long freeMinBytes;
  private volatile long freeBytes;
  private boolean warned;

  /**
   * Takes a first sample.
   *
   * @param probe returns the free bytes, or a negative number if unknown; may block
   * @param freeMinBytes free bytes below which the disk is nearly full
   */
  DiskSpace(LongSupplier probe, long freeMinBytes) {
    this.probe = probe;
    this.freeMinBytes = freeMinBytes;
    this.freeBytes = Long.MAX_VALUE;
    sample();
    if (!warned && freeBytes < 2 * freeMinBytes) {
      log.warn(
          "The disk of the data directory has {} MB free: below {} MB (kvorum.storage.disk-free-min)"
              + " PUT is rejected with 507",
          freeBytes >> 20,
          freeMinBytes >> 20);
    }
  }

  /** Free bytes of the disk of a directory; -1 if unknown. Blocks. */
  public static long usableBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      log.warn("cannot read the free space of {}", directory, e);
      return -1;
    }
  }

  /**
   * Takes a sample; blocks as the disk does. Logs that the disk is nearly full, and again only once
   * more than a little of it was free meanwhile.
   */
  void sample() {
    long sampled = probe.getAsLong();
    if (sampled >= 0) {
      freeBytes = sampled;
    }
    if (isNearlyFull() && !warned) {
      warned = true;
      log.warn(
          "The disk of the data directory is nearly full, {} MB are free: PUT is rejected with 507"
              + " until {} MB are (kvorum.storage.disk-free-min)",
          freeBytes >> 20,
          freeMinBytes >> 20);
    } else if (freeBytes > freeMinBytes + freeMinBytes / 4) {
      warned = false;
    }
  }

  long freeBytes() {
    return freeBytes;
  }

  boolean isNearlyFull() {
    return freeBytes < freeMinBytes;
  }

  /** Whether also half of what most writes leave free is in use; compactions need the rest. */
  boolean isReserveUsed() {
    return freeBytes < freeMinBytes / 2;
  }
}
