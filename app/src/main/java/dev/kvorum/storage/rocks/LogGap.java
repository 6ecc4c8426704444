package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the catalogue and the logs behind it have all writes. RocksDB does not notice a log that
 * is missing between them: where a manifest was cut, recovery would go on from its older tables to
 * logs that began later.
 *
 * @param last the last sequence number before the first gap, or of all; the largest number if the
 *     manifest names none
 * @param isBetween whether later writes can be read, and nothing before them is corrupted
 */
record LogGap(long last, boolean isBetween) {
  private static final int COUNT_AT = Long.BYTES;
  private static final int BATCH_HEADER_BYTES = COUNT_AT + Integer.BYTES;

  /** Reads the manifest and the logs of a directory. Blocks. */
  static LogGap of(Path directory) throws IOException {
    Optional<Path> manifest = ManifestTail.manifest(directory);
    if (manifest.isPresent()) {
      OptionalLong flushed = ManifestTail.lastSequence(manifest.get());
      if (flushed.isPresent()) {
        return behind(flushed.getAsLong(), LogFragments.logs(directory));
      }
    }
    return new LogGap(Long.MAX_VALUE, false);
  }

  private static LogGap behind(long flushed, List<Path> logs) throws IOException {
    Batches batches = new Batches(flushed);
    for (Path log : logs) {
      batches.isRest = false;
      LogFragments.read(log, batches);
    }
    return new LogGap(batches.last, batches.isBetween);
  }

  /** The batches of all logs in turn. What follows an unreadable part of a log does not count. */
  private static final class Batches extends LogRecords {
    private long last;
    private boolean isRest;
    private boolean hasGap;
    private boolean isBetween;
    private boolean isCorrupted;

    Batches(long flushed) {
      super(BATCH_HEADER_BYTES);
      this.last = flushed;
    }

    @Override
    protected void complete(ByteBuffer batch) {
      if (isRest || batch.limit() < BATCH_HEADER_BYTES) {
        return;
      }
      long sequence = batch.getLong(0);
      if (!hasGap && sequence > last + 1) {
        hasGap = true;
        isBetween = !isCorrupted;
      }
      if (!hasGap) {
        last = Math.max(last, sequence + batch.getInt(COUNT_AT) - 1);
      }
    }

    @Override
    public void ofOlderLog(byte type, ByteBuffer body, long end) {
      isRest = true;
    }

    @Override
    public void unreadable() {
      super.unreadable();
      isRest = true;
      isCorrupted = true;
    }
  }
}
