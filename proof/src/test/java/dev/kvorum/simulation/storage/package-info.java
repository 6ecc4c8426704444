/**
 * The disk of a simulated machine, and real stores on a modelled key-value engine.
 *
 * <p>Read {@code SimDisk}, which may lose what is not synced; {@code DiskImage} and {@code Effect},
 * its content and its changes; {@code SimEngine} with {@code SimStore}; {@code SimStoreDisk} and
 * {@code SimSetAsideStore}, the stores on a disk and those that were set aside as corrupted; {@code
 * DiskSteps}, at any of which a process may die.
 */
@NullMarked
package dev.kvorum.simulation.storage;

import org.jspecify.annotations.NullMarked;
