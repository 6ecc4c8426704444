/**
 * The command {@code kvorum-backup}.
 *
 * <p>Imports {@code background}, {@code backup}, {@code backup.archive}, {@code backup.comparison},
 * {@code backup.manifest}, {@code backup.objectstore}, {@code cli}, {@code config}, {@code data},
 * {@code files}, {@code storage}, {@code storage.engine}, {@code storage.salvage}, {@code
 * topology}, Jackson and picocli.
 */
@NullMarked
package dev.kvorum.backup.tool;

import org.jspecify.annotations.NullMarked;
