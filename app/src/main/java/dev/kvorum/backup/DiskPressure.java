package dev.kvorum.backup;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Bounds what a checkpoint may cost: its hard links keep files that the store has deleted.
 *
 * @param freeBytes free bytes of the disk
 * @param freeMinBytes free bytes below which clients' writes are rejected
 * @param pinnedBytesMax bytes of deleted files that a checkpoint may keep
 */
public record DiskPressure(LongSupplier freeBytes, long freeMinBytes, long pinnedBytesMax) {
  /** Why a checkpoint has to be given up, if it has. */
  Optional<String> reason(long pinnedBytes) {
    if (pinnedBytes > pinnedBytesMax) {
      return Optional.of(
          "the checkpoint keeps "
              + pinnedBytes
              + " bytes of deleted files, at most "
              + pinnedBytesMax
              + " (kvorum.backup.pin-max) may be kept");
    }
    long free = freeBytes.getAsLong();
    if (free < 2 * freeMinBytes) {
      return Optional.of(
          "the disk has "
              + free
              + " bytes free, fewer than twice kvorum.storage.disk-free-min ("
              + freeMinBytes
              + ")");
    }
    return Optional.empty();
  }
}
