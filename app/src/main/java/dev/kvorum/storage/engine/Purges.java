package dev.kvorum.storage.engine;

import dev.kvorum.storage.engine.Engine.Family;
import java.nio.charset.StandardCharsets;

/**
 * The newest stamp of the removed records. A write with an older stamp to an absent key may have
 * been deleted by a removed tombstone. Becomes durable with the purges.
 */
public final class Purges {
  public static final byte[] KEY = "purged-up-to".getBytes(StandardCharsets.UTF_8);

  private volatile long newestStamp;
  private volatile long retired;
  private long nextStamp;
  private long nextRetired;

  /** Starts from the state on disk. */
  Purges(Engine engine) throws EngineException, CorruptRecordException {
    this.newestStamp = MetaNumber.read(engine, KEY, "the newest purged stamp");
    this.nextStamp = newestStamp;
  }

  /** The newest stamp of all removed records. Safe for any thread. */
  long newestStamp() {
    return newestStamp;
  }

  /** Number of records expired or removed since the store was opened. Safe for any thread. */
  long retired() {
    return retired;
  }

  /** Returns whether a removed tombstone may have deleted a write with this stamp. */
  boolean mayHide(long stamp) {
    return nextStamp > 0 && stamp <= nextStamp;
  }

  /** Adds the stamp of a tombstone that a batch is about to remove. */
  void add(long stamp, EngineBatch batch) throws EngineException {
    if (stamp > nextStamp) {
      batch.put(Family.META, KEY, MetaNumber.encode(stamp));
      nextStamp = stamp;
    }
  }

  /** Counts a record that a batch is about to expire or remove. */
  void count() {
    nextRetired++;
  }

  /** Applies whether the batch was stored. */
  void finish(boolean stored) {
    if (stored) {
      newestStamp = nextStamp;
      retired = nextRetired;
    } else {
      nextStamp = newestStamp;
      nextRetired = retired;
    }
  }
}
