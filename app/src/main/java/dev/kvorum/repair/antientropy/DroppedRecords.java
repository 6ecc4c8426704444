package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which of its own copies this member dropped lately, for a newer one that others keep. Those who
 * have not received the newer one yet still hold the old copy: fetched from them it would be
 * dropped again, round after round, as long as no two of them drop it at once.
 *
 * <p>A note holds until all of them have had the time to compare themselves with the members that
 * keep the newer one, and no longer: it may be lost with its only disk, and then the old one is all
 * there is. Bounded: a copy that is forgotten here comes once and goes again. Lives on one event
 * loop.
 */
final class DroppedRecords {
  // Each compares itself once in an interval; one for the rest of this one, one for pulls that
  // fail.
  private static final int INTERVALS = 3;

  private final LongSupplier nanoTime;
  private final long validNanos;
  private final Map<Key, Note> notes;

  private record Note(Version newer, long notedNanos) {}

  /**
   * No notes yet.
   *
   * @param nanoTime a monotone clock
   * @param interval how often members compare themselves
   * @param keysMax how many notes there may be
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
