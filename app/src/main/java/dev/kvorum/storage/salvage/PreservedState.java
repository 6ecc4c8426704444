package dev.kvorum.storage.salvage;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.MetaNumber;
import dev.kvorum.storage.engine.NewestStamps;
import dev.kvorum.storage.engine.Purges;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoredMarks;

/**
 * The numbers of a store that a new store inherits. Without them, versions could go back, and
 * writes that were deleted long ago could be accepted again.
 *
 * @param clockHighWater how far ahead the clock may have gone, in Unix milliseconds; 0 if unknown
 * @param purgedUpTo the newest stamp of all removed records; 0 if none or unknown
 * @param reset 1 if the store, or one before it, was reset and has not been rebuilt since
 */
public record PreservedState(long clockHighWater, long purgedUpTo, long reset) {
  /** Reads a store's numbers; possible even after it was closed. */
  public static PreservedState of(RecordStore store) {
    MarkStore marks = store.marks();
    return new PreservedState(
        marks.mark(MarkStore.CLOCK_HIGH_WATER), store.purgedUpTo(), marks.mark(MarkStore.RESET));
  }

  /** The same numbers for a store whose records must not be restored. */
  public PreservedState ofReset() {
    return new PreservedState(clockHighWater, purgedUpTo, 1);
  }

  /** Writes the numbers to a new store, durably, with a mark that it replaced another store. */
  public void leaveIn(Engine fresh) throws EngineException {
    try (EngineBatch batch = fresh.batch()) {
      put(batch, StoredMarks.key(MarkStore.SET_ASIDE), 1);
      put(batch, StoredMarks.key(MarkStore.RESET), reset);
      put(batch, StoredMarks.key(MarkStore.CLOCK_HIGH_WATER), clockHighWater);
      put(batch, Purges.KEY, purgedUpTo);
      // Only a record above the ceiling is written without a read, which also skips the check of
      // removals.
      put(batch, NewestStamps.key(), purgedUpTo);
      batch.writeSynced();
    }
  }

  private static void put(EngineBatch batch, byte[] key, long number) throws EngineException {
    batch.put(Engine.Family.META, key, MetaNumber.encode(number));
  }
}
