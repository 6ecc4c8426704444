/**
 * Checks that all records of settings share.
 *
 * <p>The settings of a group are one record in the package that uses them, such as {@code
 * RepairSettings}: names, units, defaults and bounds. {@code config} binds them.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.settings;

import org.jspecify.annotations.NullMarked;
