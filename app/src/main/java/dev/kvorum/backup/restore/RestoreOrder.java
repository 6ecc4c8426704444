package dev.kvorum.backup.restore;

import dev.kvorum.backup.objectstore.StoreAccess;
import java.util.List;

/**
 * An order to a node to restore parts of a backup.
 *
 * @param cluster id of the cluster that was backed up
 * @param id of the backup
 * @param sources members of that cluster whose parts this node restores
 */
public record RestoreOrder(String cluster, String id, List<String> sources, StoreAccess store) {
  public RestoreOrder {
    sources = List.copyOf(sources);
  }
}
