/**
 * What goes wrong in a run: crashes, lost and corrupted disks, cut links, wrong clocks, a member's
 * second process.
 *
 * <p>Read {@code Faults}, which chooses and heals them; a class for each kind; {@code Scenes} and
 * {@code TombstoneScenes}, faults in a certain order in biased runs.
 */
@NullMarked
package dev.kvorum.simulation.faults;

import org.jspecify.annotations.NullMarked;
