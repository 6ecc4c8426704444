/**
 * Durable writes of small files.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.files;

import org.jspecify.annotations.NullMarked;
