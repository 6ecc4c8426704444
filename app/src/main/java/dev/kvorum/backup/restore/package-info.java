/**
 * A node's part in the restore of a backup into an empty cluster.
 *
 * <p>Imports {@code backup.archive}, {@code backup.manifest}, {@code backup.objectstore}, {@code
 * background}, {@code data}, {@code placement}, {@code replica}, {@code storage}, {@code
 * storage.engine}, {@code storage.salvage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.backup.restore;

import org.jspecify.annotations.NullMarked;
