package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keys of copies that this member dropped recently because other members keep a newer version.
 * Members that have not received the newer version yet still hold the old copy; without this note
 * it would be fetched from them and dropped again, round after round.
 *
 * <p>A note expires after two intervals: by then every member has had the time to run a session
 * with those that keep the newer version. It must not live longer, since the newer version may be
 * lost with its only disk, and the old copy is then the last one. Bounded: an evicted note costs
 * one more fetch. Confined to one event loop.
 */
final class DroppedRecords {
  // One interval for the rest of the current one, and one for sessions that fail.
  private static final int INTERVALS = 3;

  private final LongSupplier nanoTime;
  private final long validNanos;
  private final Map<Key, Note> notes;

  private record Note(Version newer, long notedNanos) {}

  /**
   * Starts without notes.
   *
   * @param nanoTime a monotonic clock
   * @param interval of repair sessions
   * @param keysMax bound on the number of notes
   */
  DroppedRecords(LongSupplier nanoTime, Duration interval, int keysMax) {
    this.nanoTime = nanoTime;
    this.validNanos = interval.multipliedBy(INTERVALS).toNanos();
    this.notes =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Note> eldest) {
            return size() > keysMax;
          }
        };
  }

  /** Notes for which version a copy went. */
  void note(Key key, Version kept) {
    notes.remove(key);
    notes.put(key, new Note(kept, nanoTime.getAsLong()));
  }

  /** Whether a copy of this version would have to go again. */
  boolean isOutdated(Key key, Version version) {
    Note note = notes.get(key);
    if (note == null) {
      return false;
    }
    if (nanoTime.getAsLong() - note.notedNanos() > validNanos) {
      notes.remove(key);
      return false;
    }
    return note.newer().isNewerThan(version);
  }
}
