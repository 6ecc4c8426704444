/**
 * What brings replicas back to where the others are, and keeps them there.
 *
 * <p>{@link dev.kvorum.repair.HintedHandoff} is the short way, for writes that a replica missed.
 * The guarantee is {@link dev.kvorum.repair.Repair}: {@code AntiEntropy} has this member {@code
 * Pull} from each other one, which compares {@code MerkleTrees} ({@code Comparison}) and fetches
 * what differs ({@code Mending}); {@code Rebuild} fills a store that was lost ({@code Arrival},
 * {@code Copying}, {@code CopyTracker}) while {@code Wholeness} withholds its votes; {@code
 * TombstoneReaper} removes tombstones once {@code Coverage} says that all others have them. {@code
 * SyncServer} answers when others do the same.
 *
 * <p>Imports {@code data}, {@code topology}, {@code placement}, {@code replica}, {@code storage},
 * {@code metrics} and the hash library.
 */
@NullMarked
package dev.kvorum.repair;

import org.jspecify.annotations.NullMarked;
