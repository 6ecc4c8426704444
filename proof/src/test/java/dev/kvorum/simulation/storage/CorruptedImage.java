package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.salvage.ReleasedPart;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What can and cannot be read of a corrupted store that was set aside; outlives processes. */
public final class CorruptedImage {
  /**
   * What is corrupted of a store.
   *
   * @param keys keys whose newest record cannot be read
   * @param isLogComplete whether the end of its log can be read
   * @param hasCatalogue whether it is known which files belong to it
   */
  public record Corruption(Set<Key> keys, boolean isLogComplete, boolean hasCatalogue) {
    /** Copies the keys. */
    public Corruption {
      keys = Set.copyOf(keys);
    }

    /** Nothing is known to be corrupted. */
    static final Corruption NONE = new Corruption(Set.of(), true, true);
  }

  /** Keys whose newest record cannot be read; an older one may be found instead. */
  final NavigableSet<Key> unreadable;

  final NavigableMap<Key, Salvageable> readable = new TreeMap<>();

  /** Whether all else is as it was written. */
  final boolean isLogComplete;

  /** Whether its records are read in the order of their keys, and the newest of each. */
  final boolean isInOrder;

  @Nullable ReleasedPart released;

  CorruptedImage(DiskImage store, Corruption corruption) {
    unreadable = new TreeSet<>(corruption.keys());
    isLogComplete = corruption.isLogComplete();
    isInOrder = corruption.hasCatalogue();
    boolean isNewest = isLogComplete && isInOrder;
    store.records.forEach((key, record) -> {
      if (!unreadable.contains(key)) {
        add(key, record, isNewest);
      }
    });
    store.overwritten.forEach((key, record) -> {
      // Where it is unknown which files belong to it, what was removed is read too.
      boolean isFound = unreadable.contains(key) || !(isInOrder || store.records.containsKey(key));
      if (isFound) {
        add(key, record, false);
      }
    });
  }

  private void add(Key key, Versioned record, boolean isNewest) {
    readable.put(key, new Salvageable(new Mutation(key, record), isNewest));
  }

  /** Whether it is unknown of any key what is missing. */
  boolean isIncomplete() {
    return !isLogComplete || !isInOrder;
  }
}
