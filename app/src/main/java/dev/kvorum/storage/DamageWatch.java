package dev.kvorum.storage;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reports damage with the store that it was met in, also when it is met while that is opened. */
final class DamageWatch {
  private final BiConsumer<RocksStore, String> reaction;
  private @Nullable RocksStore watched;
  private @Nullable String found;

  /**
   * Watches nothing yet.
   *
   * @param reaction given the damaged store and what was found, on any thread
   */
  DamageWatch(BiConsumer<RocksStore, String> reaction) {
    this.reaction = reaction;
  }

  synchronized void begin(RocksStore opened) {
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
