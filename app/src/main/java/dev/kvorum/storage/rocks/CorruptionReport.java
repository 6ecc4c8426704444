package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.RecordStore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports corruption with the store that it was met in, also when it is met while that is opened.
 */
final class CorruptionReport {
  private final BiConsumer<RecordStore, String> reaction;
  private @Nullable RecordStore watched;
  private @Nullable String found;

  /**
   * Watches nothing yet.
   *
   * @param reaction given the corrupted store and what was found, on any thread
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
