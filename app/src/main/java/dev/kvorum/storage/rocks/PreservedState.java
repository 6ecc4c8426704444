package dev.kvorum.storage.rocks;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.MetaNumber;
import dev.kvorum.storage.engine.NewestStamps;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.Removals;
import dev.kvorum.storage.engine.StoredMarks;

/**
 * The few numbers of a store that outlive it: without them versions could go back, and writes that
 * were deleted long ago could come in again.
 *
 * @param clockReserved how far ahead the clock may have gone, Unix milliseconds; 0: not known
 * @param removedUpTo the newest stamp of all that was removed; 0: none, or not known
 * @param reset 1 when the store, or one before it, was reset and has not been rebuilt since
 */
record PreservedState(long clockReserved, long removedUpTo, long reset) {
  /** A store's marks, available also once it is closed. */
  static PreservedState of(RecordStore store) {
    MarkStore marks = store.marks();
    return new PreservedState(
        marks.mark(MarkStore.CLOCK_RESERVED), store.removedUpTo(), marks.mark(MarkStore.RESET));
  }

  /** The same of a store whose records must not come back. */
  PreservedState ofReset() {
    return new PreservedState(clockReserved, removedUpTo, 1);
  }

  /** Puts them into a new store, durably, and with them that it took another one's place. */
  void leaveIn(Engine fresh) throws EngineException {
    try (EngineBatch batch = fresh.batch()) {
      put(batch, StoredMarks.key(MarkStore.SET_ASIDE), 1);
      put(batch, StoredMarks.key(MarkStore.RESET), reset);
      put(batch, StoredMarks.key(MarkStore.CLOCK_RESERVED), clockReserved);
      put(batch, Removals.KEY, removedUpTo);
      // Only what passes the ceiling is written unread, and so without regard to removals.
      put(batch, NewestStamps.key(), removedUpTo);
      batch.write(true);
    }
  }

  private static void put(EngineBatch batch, byte[] key, long number) throws EngineException {
    batch.put(Engine.Family.META, key, MetaNumber.encode(number));
  }
}
