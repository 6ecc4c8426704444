package dev.kvorum.backup;

import dev.kvorum.backup.objectstore.StoreAccess;

/**
 * An order to a member to make its part of a backup.
 *
 * @param id of the backup
 * @param epoch of the topology under which all members make their checkpoints
 */
public record BackupOrder(String id, long epoch, StoreAccess store) {}
