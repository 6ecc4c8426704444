package dev.kvorum.storage.engine;

import java.io.IOException;

/**
 * Decides how fast the space of overwritten and removed records in blob files is collected (ADR
 * 0024).
 *
 * <p>RocksDB collects by moving the live records out of the oldest files, in compactions that meet
 * them anyway. This costs the same disk that writes wait for, and less the later it is done, since
 * more records are garbage by then. The share of files therefore grows with the garbage: nothing
 * below half of the bound, and whatever is needed above the bound.
 *
 * <p>RocksDB counts a record as garbage only once a compaction has dropped its key, which may be
 * long after it was overwritten. A compaction of all keys is due when that much could be unseen.
 */
final class BlobCollector {
  private static final double STEP = 0.25;

  private final Engine engine;
  private final StorageSettings settings;
  private long flushedBefore;
  private double share;
  private boolean isUrgent;

  BlobCollector(Engine engine, StorageSettings settings) {
    this.engine = engine;
    this.settings = settings;
  }

  /** Adjusts the collection to the garbage that there is. Blocks during a compaction. */
  void collect() throws EngineException, IOException {
    EngineStats now = engine.stats();
    if (now.blobs().files() == 0) {
      return;
    }
    if (!settings.storesBlobs()) {
      moveIntoTables();
      return;
    }
    long garbage = now.blobs().garbageBytes();
    long bound = Math.max(1, now.garbageBytesMax(settings.blobSpaceMax()));
    long unseen = now.counts().blobFlushedBytes() - flushedBefore;
    pace((double) garbage / bound);
    boolean isMovedByAll = isUrgent && now.tableBytes() < garbage;
    if (isMovedByAll || (unseen > garbage && unseen + garbage > bound)) {
      engine.compactRecords(isMovedByAll);
      flushedBefore = now.counts().blobFlushedBytes();
    }
  }

  private void pace(double used) throws EngineException {
    isUrgent = used > 1 || (isUrgent && used > 0.8);
    move(isUrgent ? Math.min(1, share + STEP) : shareAt(used));
  }

  private static double shareAt(double used) {
    if (used < 0.5) {
      return 0;
    }
    return used < 0.8 ? 0.05 : 0.1;
  }

  /** Empties all blob files once records are no longer stored in them. */
  private void moveIntoTables() throws EngineException {
    move(1);
    engine.compactRecords(true);
  }

  private void move(double oldest) throws EngineException {
    if (oldest != share) {
      engine.collectBlobs(oldest, isUrgent);
      share = oldest;
    }
  }
}
