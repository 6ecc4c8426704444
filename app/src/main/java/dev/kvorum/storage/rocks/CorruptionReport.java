package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.RecordStore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports corruption together with the store in which it occurs, also while that store is being
 * opened.
 */
final class CorruptionReport {
  private final BiConsumer<RecordStore, String> reaction;
  private @Nullable RecordStore watched;
  private @Nullable String found;

  /**
   * Creates a report without a store.
   *
   * @param reaction receives the corrupted store and a description, on any thread
   */
  CorruptionReport(BiConsumer<RecordStore, String> reaction) {
    this.reaction = reaction;
  }

  synchronized void begin(RecordStore opened) {
    watched = opened;
    if (found != null) {
      reaction.accept(opened, found);
    }
  }

  synchronized void damaged(String what) {
    found = what;
    if (watched != null) {
      reaction.accept(watched, what);
    }
  }
}
