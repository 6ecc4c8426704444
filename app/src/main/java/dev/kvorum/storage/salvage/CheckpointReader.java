package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.util.Optional;
import org.rocksdb.RocksDBException;

/**
 * Reads the records of a checkpoint in the order of keys, tombstones and expired records among
 * them. It reads the checkpoint as a whole: a table alone may have a record that another one has
 * replaced or removed. Confined to one thread.
 */
public final class CheckpointReader implements AutoCloseable {
  private final CorruptedStore store;

  private CheckpointReader(CorruptedStore store) {
    this.store = store;
  }

  /**
   * Opens a checkpoint, whose files must be those that were written. Blocks.
   *
   * @param settings settings with its directory
   * @param start the first key; empty: all
   */
  public static CheckpointReader open(StoreSettings settings, Optional<Key> start)
      throws IOException {
    try {
      return new CheckpointReader(
          CorruptedStore.open(settings, true, start.map(Key::bytes).orElse(null)));
    } catch (RocksDBException e) {
      throw new IOException("the checkpoint cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Reads the next page, with all keys that cannot be read. Blocks. */
  public Salvaged.Page next(ScanLimits limits) throws IOException {
    return store.next(limits);
  }

  @Override
  public void close() {
    store.close();
  }
}
