/**
 * The disk of a simulated machine, and real stores on a modelled key-value engine.
 *
 * <p>Read {@code SimDisk}, which may lose what is not synced; {@code DiskImage} and {@code Effect},
 * its content and its changes; {@code SimEngine} with {@code SimStore}; {@code SimSetAside}, stores
 * that were set aside as corrupted.
 */
@NullMarked
package dev.kvorum.simulation.storage;

import org.jspecify.annotations.NullMarked;
