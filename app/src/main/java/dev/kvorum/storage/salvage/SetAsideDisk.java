package dev.kvorum.storage.salvage;

import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.util.List;

/**
 * The corrupted stores beside a node's store, and the keys lost with them. Methods block as long as
 * the disk does; a change is durable when its method returns.
 */
public interface SetAsideDisk {
  /** Settings of the current store. */
  StoreSettings settings();

  /** The names of corrupted stores that have not been released, oldest first. */
  List<String> corrupted() throws IOException;

  /** A corrupted store, to be read from its first record that is left. Reads nothing yet. */
  SetAsideStore setAside(String name);

  /**
   * Records that corrupted stores are no longer needed. The newest may be kept for a while. Some of
   * them may be released before a failure.
   */
  void release(List<String> salvaged) throws IOException;

  /** Reads the keys whose records could not be restored from anywhere. */
  LostKeys lostKeys() throws IOException;

  /** Replaces the lost keys. */
  void keepLostKeys(LostKeys lost) throws IOException;
}
