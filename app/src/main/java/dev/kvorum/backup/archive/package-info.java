/**
 * Reads backups from an object store.
 *
 * <p>Imports {@code backup.manifest}, {@code backup.objectstore} and {@code files}.
 */
@NullMarked
package dev.kvorum.backup.archive;

import org.jspecify.annotations.NullMarked;
