/**
 * What a member records durably about its repairs, and the settings of repair.
 *
 * <p>Read {@code RepairMarks}, the names and meaning of all marks.
 *
 * <p>Imports {@code background}, {@code data}, {@code repair.rebuild}, {@code replica}, {@code
 * storage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.repair.state;

import org.jspecify.annotations.NullMarked;
