package dev.kvorum.storage.replace;

import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.RecordStore;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports corruption together with the store in which it occurs, also while that store is being
 * opened, and has the store replaced if it may be.
 */
final class CorruptionReport {
  private static final Logger log = LoggerFactory.getLogger(CorruptionReport.class);

  private final Path directory;
  private final Supplier<OnCorruption> onCorruption;
  private final BiConsumer<RecordStore, String> replace;
  private @Nullable RecordStore watched;
  private @Nullable String found;

  /**
   * Creates a report without a store.
   *
   * @param replace receives a corrupted store to be replaced and a description, on any thread
   */
  CorruptionReport(
      Path directory,
      Supplier<OnCorruption> onCorruption,
      BiConsumer<RecordStore, String> replace) {
    this.directory = directory;
    this.onCorruption = onCorruption;
    this.replace = replace;
  }

  synchronized void begin(RecordStore opened) {
    watched = opened;
    if (found != null) {
      react(opened, found);
    }
  }

  synchronized void damaged(String what) {
    found = what;
    if (watched != null) {
      react(watched, what);
    }
  }

  private void react(RecordStore damaged, String what) {
    switch (onCorruption.get()) {
      case REBUILD -> {
        log.error("The store in {} is corrupted: {}", directory, what);
        replace.accept(damaged, what);
      }
      case FAIL ->
          log.error(
              "The store in {} is corrupted and stays in place, because no peer can rebuild it or"
                  + " kvorum.storage.on-corruption is fail; corrupted records cannot be read:"
                  + " {}",
              directory,
              what);
    }
  }
}
