package dev.kvorum.storage.replace;

import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.salvage.PreservedState;
import dev.kvorum.storage.salvage.SetAsideDisk;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * The stores of a node, side by side on its disk: the current one, temporarily a fresh one, and
 * those that were set aside. RocksDB's directories in a node, a model in simulations.
 *
 * <p>Methods block as long as the disk does. A change is durable when its method returns. If the
 * process ends before, the change is complete or was not made, unless stated otherwise.
 */
public interface StoreDisk extends SetAsideDisk {
  /**
   * Corrupted stores that are kept. Each is as large as a store; a disk that corrupts one store
   * after the other should be replaced.
   */
  int CORRUPTED_MAX = 4;

  /**
   * Completes a {@link #swap} that was interrupted by the end of the process, if its fresh store is
   * complete. Otherwise the fresh store is deleted.
   */
  void finishInterrupted() throws IOException;

  /**
   * Opens the current store, or creates an empty one.
   *
   * @param onCorruption called once, on any thread, when corruption is detected; must not block
   * @throws StoreOpenException if an existing one cannot be opened
   */
  RecordStore open(Consumer<String> onCorruption);

  /**
   * Reads the numbers of a current store that cannot be opened, as far as possible. Does not change
   * the store.
   */
  PreservedState salvageState();

  /** Creates the fresh store, empty but for these numbers, instead of what is left of another. */
  void prepareFresh(PreservedState inherited) throws IOException, EngineException;

  /**
   * Sets the current store aside, which must be closed, and moves the fresh one into its place.
   *
   * @param isCorrupted whether the old store is kept until {@link #release}; otherwise it is kept
   *     only as the newest one, and only while the disk has room for it
   * @return the old store's new name, for the log
   * @throws IOException also if {@link #CORRUPTED_MAX} corrupted stores are kept already
   */
  String swap(boolean isCorrupted) throws IOException;

  /** Writes and syncs some bytes; throws if that fails. */
  void check() throws IOException;
}
