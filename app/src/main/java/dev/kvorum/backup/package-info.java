/**
 * A node's part in backups: a checkpoint of its store on order, and its upload.
 *
 * <p>Imports {@code backup.archive}, {@code backup.manifest}, {@code backup.objectstore}, {@code
 * files}, {@code settings} and {@code storage.engine}.
 */
@NullMarked
package dev.kvorum.backup;

import org.jspecify.annotations.NullMarked;
