/**
 * What a member records durably about its repairs, and the settings of repair.
 *
 * <p>Read {@code RepairMarks}, the names and meaning of all marks.
 *
 * <p>Imports {@code background}, {@code data}, {@code replica}, {@code settings}, {@code storage},
 * {@code topology} and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.repair.state;

import org.jspecify.annotations.NullMarked;
