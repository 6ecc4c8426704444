package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the catalogue and the logs behind it have all writes. RocksDB does not notice two kinds
 * of gaps. Where a manifest was cut, recovery would go on from its older tables to logs that began
 * later. Where the rest of a block of a log is zeros, recovery would go on with the next block.
 *
 * @param last the last sequence number before the first gap, or of all; the largest number if the
 *     manifest names none
 * @param isBetween whether later writes can be read, and nothing before them is corrupted
 * @param logs the logs, oldest first
 * @param index the position of the log in which the last batch before the gap is; 0 if in none
 * @param end offset of that batch's end in this log; 0 if there is none
 */
record LogGap(long last, boolean isBetween, List<Path> logs, int index, long end) {
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
    return new LogGap(Long.MAX_VALUE, false, List.of(), 0, 0);
  }

  /**
   * Cuts the logs behind the last batch before the gap, durably. Newer logs become empty and remain
   * as files: RocksDB must not use their numbers again. Blocks.
   */
  void cut() throws IOException {
    for (int i = logs.size() - 1; i >= index; i--) {
      LogFragments.cut(logs.get(i), i == index ? end : 0);
    }
  }

  private static LogGap behind(long flushed, List<Path> logs) throws IOException {
    Batches batches = new Batches(flushed);
    for (int i = 0; i < logs.size(); i++) {
      batches.isRest = false;
      batches.log = i;
      LogFragments.read(logs.get(i), batches);
    }
    return new LogGap(batches.last, batches.isBetween, logs, batches.index, batches.end);
  }

  /** The batches of all logs in turn. What follows an unreadable part of a log does not count. */
  private static final class Batches extends LogRecords {
    private long last;
    private int log;
    private int index;
    private long end;
    private boolean isRest;
    private boolean hasGap;
    private boolean isBetween;
    private boolean isCorrupted;

    Batches(long flushed) {
      super(BATCH_HEADER_BYTES);
      this.last = flushed;
    }

    @Override
    protected void complete(ByteBuffer batch, long batchEnd) {
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
        index = log;
        end = batchEnd;
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
