package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.storage.engine.Engine.Family;
import java.time.Duration;
import java.util.Arrays;

/**
 * The newest stamp stored in each of many buckets of keys: a mutation with a newer one replaces
 * whatever is stored under its key, which then need not be read first.
 *
 * <p>Writes come nearly in the order of their stamps, so this spares nearly every read before a
 * write. A bucket may be too new, never too old: a ceiling above all stamps goes to disk before the
 * first of them that passes the last one, and at a start all buckets begin from it. For the writer
 * thread alone.
 */
public final class NewestStamps {
  private static final byte[] KEY = {'c', 'e', 'i', 'l', 'i', 'n', 'g'};
  private static final int BUCKETS = 1 << 16;

  /** How far the ceiling is above what was stored when it was set; stamps count in milliseconds. */
  private static final long HEADROOM = Version.stampOf(Duration.ofSeconds(10).toMillis());

  private final long[] stamps = new long[BUCKETS];
  private long ceiling;
  private long nextCeiling;

  /** Where the ceiling is kept in the meta family. */
  public static byte[] key() {
    return KEY.clone();
  }

  /** Begins from the ceiling on disk. */
  NewestStamps(Engine engine) throws EngineException, CorruptRecordException {
    this.ceiling = MetaNumber.read(engine, KEY, "the ceiling of stamps");
    this.nextCeiling = ceiling;
    Arrays.fill(stamps, ceiling);
  }

  /** Whether nothing stored under a key can be as new as this stamp. */
  boolean isPassedBy(long stamp, Key key) {
    return stamp > stamps[bucket(key)];
  }

  /** Counts a stamp that is about to be stored with a batch. */
  void add(long stamp, Key key, EngineBatch batch) throws EngineException {
    if (stamp > nextCeiling) {
      batch.put(Family.META, KEY, MetaNumber.encode(stamp + HEADROOM));
      nextCeiling = stamp + HEADROOM;
    }
    int bucket = bucket(key);
    stamps[bucket] = Math.max(stamps[bucket], stamp);
  }

  /** The batch was stored, or has failed, and with it a new ceiling if it held one. */
  void finish(boolean stored) {
    if (stored) {
      ceiling = nextCeiling;
    } else {
      nextCeiling = ceiling;
    }
  }

  private static int bucket(Key key) {
    int hash = key.hashCode() * 0x9e3779b9;
    return hash >>> 16;
  }
}
