package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.engine.Purges;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a disk would hold if the machine lost power now, or what its processes see of it. */
public final class DiskImage {
  private static final String PURGED_UP_TO = new String(Purges.KEY, StandardCharsets.UTF_8);

  public final NavigableMap<Key, Versioned> records = new TreeMap<>();
  final NavigableMap<byte[], byte[]> hints = new TreeMap<>(Arrays::compareUnsigned);

  /** Numbers that the store keeps about itself, the node's marks among them. */
  public final NavigableMap<String, Long> meta = new TreeMap<>();

  /** What stood under a key before its newest record, or before that was removed. */
  public final NavigableMap<Key, Versioned> overwritten = new TreeMap<>();

  /** Records of each checkpoint, by its directory. */
  public final Map<Path, NavigableMap<Key, Versioned>> checkpoints = new HashMap<>();

  /** The records, as of now. */
  public NavigableMap<Key, Versioned> checkpoint() {
    return new TreeMap<>(records);
  }

  void apply(Effect effect) {
    switch (effect) {
      case Effect.Put put -> overwrote(put.key(), records.put(put.key(), put.record()));
      case Effect.Remove remove -> {
        Versioned removed = records.remove(remove.key());
        // What a tombstone has hidden is still there in older tables.
        if (removed != null && !(removed.tombstone() && overwritten.containsKey(remove.key()))) {
          overwritten.put(remove.key(), removed);
        }
      }
      case Effect.KeepHint keep -> hints.put(keep.key(), keep.value());
      case Effect.DropHint drop -> hints.remove(drop.key());
      case Effect.Meta number -> meta.put(number.key(), number.number());
    }
  }

  private void overwrote(Key key, @Nullable Versioned older) {
    if (older != null) {
      overwritten.put(key, older);
    }
  }

  public Version version(Key key) {
    Versioned held = records.get(key);
    return held == null ? Version.NONE : held.version();
  }

  public boolean isTombstone(Key key) {
    Versioned held = records.get(key);
    return held != null && held.tombstone();
  }

  /** The node's mark of this name; 0 when there is none. */
  public long mark(String name) {
    return meta.getOrDefault(Effect.Meta.mark(name, 0).key(), 0L);
  }

  /** The newest stamp of what was removed. */
  long purgedUpTo() {
    return meta.getOrDefault(PURGED_UP_TO, 0L);
  }

  DiskImage copy() {
    DiskImage copy = new DiskImage();
    copy.records.putAll(records);
    copy.overwritten.putAll(overwritten);
    copy.hints.putAll(hints);
    copy.meta.putAll(meta);
    return copy;
  }
}
