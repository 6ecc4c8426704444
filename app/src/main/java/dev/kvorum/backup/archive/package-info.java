/**
 * Reads backups from an object store.
 *
 * <p>Imports {@code backup.manifest} and {@code backup.objectstore}.
 */
@NullMarked
package dev.kvorum.backup.archive;

import org.jspecify.annotations.NullMarked;
