/**
 * What a backup consists of, and how it is written down.
 *
 * <p>Imports {@code files}, {@code placement}, {@code topology} and Jackson.
 */
@NullMarked
package dev.kvorum.backup.manifest;

import org.jspecify.annotations.NullMarked;
