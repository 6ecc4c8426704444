package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.storage.engine.Engine.Family;
import java.time.Duration;
import java.util.Arrays;

/**
 * The newest stamp stored in each of many buckets of keys. A mutation with a newer stamp replaces
 * any record under its key, which then need not be read first.
 *
 * <p>Writes arrive nearly in the order of their stamps, so this avoids nearly every read before a
 * write. A bucket's stamp may be too new, never too old: a ceiling above all stamps goes to disk
 * with the first stamp that exceeds the last ceiling, and all buckets start from it. Confined to
 * the writer thread, except for {@link #newest}.
 */
public final class NewestStamps {
  private static final byte[] KEY = {'c', 'e', 'i', 'l', 'i', 'n', 'g'};
  private static final int BUCKETS = 1 << 16;

  /** Distance of a new ceiling from the stamp that required it, as a stamp of 10 s. */
  private static final long HEADROOM = Version.stampOf(Duration.ofSeconds(10).toMillis());

  private final long[] stamps = new long[BUCKETS];
  private long ceiling;
  private long nextCeiling;
  private volatile long newest;

  /** Key of the ceiling in the meta family. */
  public static byte[] key() {
    return KEY.clone();
  }

  /** Starts from the ceiling on disk. */
  NewestStamps(Engine engine) throws EngineException, CorruptRecordException {
    this.ceiling = MetaNumber.read(engine, KEY, "the ceiling of stamps");
    this.nextCeiling = ceiling;
    this.newest = ceiling;
    Arrays.fill(stamps, ceiling);
  }

  /** Upper bound of all stamps, the same for the stamps before the last start. Any thread. */
  long newest() {
    return newest;
  }

  /** Returns whether no record under a key can be as new as this stamp. */
  boolean isPassedBy(long stamp, Key key) {
    return stamp > stamps[bucket(key)];
  }

  /** Adds a stamp that a batch is about to store. */
  void add(long stamp, Key key, EngineBatch batch) throws EngineException {
    if (stamp > nextCeiling) {
      batch.put(Family.META, KEY, MetaNumber.encode(stamp + HEADROOM));
      nextCeiling = stamp + HEADROOM;
    }
    newest = Math.max(newest, stamp);
    int bucket = bucket(key);
    stamps[bucket] = Math.max(stamps[bucket], stamp);
  }

  /** Applies whether the batch was stored, with a new ceiling if it had one. */
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
