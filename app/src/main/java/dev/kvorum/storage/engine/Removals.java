package dev.kvorum.storage.engine;

import dev.kvorum.storage.engine.Engine.Family;
import java.nio.charset.StandardCharsets;

/**
 * How new the records were that have been removed: a write that old, to a key that is not there,
 * may be one of those that a removed tombstone deleted. Goes to disk with the removals themselves.
 */
public final class Removals {
  public static final byte[] KEY = "removed-up-to".getBytes(StandardCharsets.UTF_8);

  private volatile long newestStamp;
  private volatile long retired;
  private long nextStamp;
  private long nextRetired;

  /** Begins from what is on disk. */
  Removals(Engine engine) throws EngineException, CorruptRecordException {
    this.newestStamp = MetaNumber.read(engine, KEY, "the newest removed stamp");
    this.nextStamp = newestStamp;
  }

  /** The newest stamp of all that was removed. Safe for any thread. */
  long newestStamp() {
    return newestStamp;
  }

  /** Records entombed or removed since the store was opened. Safe for any thread. */
  long retired() {
    return retired;
  }

  /** Whether a write of this stamp may have been deleted by what was removed since. */
  boolean mayHide(long stamp) {
    return nextStamp > 0 && stamp <= nextStamp;
  }

  /** Notes the stamp of what a batch is about to remove. */
  void add(long stamp, EngineBatch batch) throws EngineException {
    if (stamp > nextStamp) {
      batch.put(Family.META, KEY, MetaNumber.encode(stamp));
      nextStamp = stamp;
    }
  }

  /** Counts a record that a batch is about to entomb or remove. */
  void count() {
    nextRetired++;
  }

  /** The batch was stored, or has failed. */
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
