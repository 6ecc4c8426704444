package dev.kvorum.storage.rocks;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The store of a node in a RocksDB database. */
public final class RocksStore {
  private RocksStore() {}

  /**
   * Opens the store of these settings, or makes an empty one. Blocks.
   *
   * @param freeBytes the disk's free space, or a negative number when it is not known
   * @param onCorruption called once, on any thread, when files turn out to be corrupted; must not
   *     block
   * @throws StoreOpenException when there is one that cannot be opened
   */
  public static RecordStore open(
      StoreSettings settings,
      CommitListener probe,
      LongSupplier freeBytes,
      ChecksumVerifier verifier,
      Consumer<String> onCorruption) {
    return RecordStore.on(
        RocksEngine.open(settings), settings, probe, freeBytes, verifier, onCorruption);
  }
}
