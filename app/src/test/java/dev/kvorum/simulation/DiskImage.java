package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.HintStore.Hint;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a disk would hold if the machine lost power now, or what its processes see of it. */
final class DiskImage {
  final NavigableMap<Key, Versioned> records = new TreeMap<>();
  final NavigableMap<Effect.HintId, Hint> hints = new TreeMap<>();
  final NavigableMap<String, Long> marks = new TreeMap<>();
  long removedUpTo;

  /** What stood under a key before its newest record, or before that was removed. */
  final NavigableMap<Key, Versioned> overwritten = new TreeMap<>();

  void apply(Effect effect) {
    switch (effect) {
      case Effect.Put put -> overwrote(put.key(), records.put(put.key(), put.record()));
      case Effect.Remove remove -> {
        Versioned removed = records.remove(remove.key());
        // What a tombstone has hidden is still there in older tables.
        if (removed != null && !(removed.tombstone() && overwritten.containsKey(remove.key()))) {
          overwritten.put(remove.key(), removed);
        }
        removedUpTo = Math.max(removedUpTo, remove.stamp());
      }
      case Effect.KeepHint keep -> hints.put(Effect.HintId.of(keep.hint()), keep.hint());
      case Effect.DropHint drop -> hints.remove(drop.id());
      case Effect.Mark mark -> marks.put(mark.name(), mark.number());
    }
  }

  private void overwrote(Key key, @Nullable Versioned older) {
    if (older != null) {
      overwritten.put(key, older);
    }
  }

  Version version(Key key) {
    Versioned held = records.get(key);
    return held == null ? Version.NONE : held.version();
  }

  boolean isTombstone(Key key) {
    Versioned held = records.get(key);
    return held != null && held.tombstone();
  }

  DiskImage copy() {
    DiskImage copy = new DiskImage();
    copy.records.putAll(records);
    copy.overwritten.putAll(overwritten);
    copy.hints.putAll(hints);
    copy.marks.putAll(marks);
    copy.removedUpTo = removedUpTo;
    return copy;
  }
}
