package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreProbes;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.StoreThreads;
import java.util.function.Consumer;

/** Opens the store of a node in a RocksDB database. */
public final class RocksStore {
  private RocksStore() {}

  /**
   * Opens the store of these settings, or creates an empty one. Blocks.
   *
   * @param onCorruption called once, on any thread, when corruption is detected; must not block
   * @throws StoreOpenException if an existing one cannot be opened
   */
  public static RecordStore open(
      StoreSettings settings, StoreProbes probes, Consumer<String> onCorruption) {
    return RecordStore.on(
        openEngine(settings), settings, probes, onCorruption, StoreThreads.platform());
  }

  /**
   * Opens or creates the database of a store, without the store's threads. Blocks.
   *
   * @throws StoreOpenException if an existing one cannot be opened
   */
  public static Engine openEngine(StoreSettings settings) {
    return RocksEngine.open(settings);
  }
}
