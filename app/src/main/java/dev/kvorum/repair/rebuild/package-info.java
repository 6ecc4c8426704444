/**
 * The rebuild of an empty or corrupted store from its peers.
 *
 * <p>Read {@code BootstrapDecision}, whether an empty store is a new cluster's or a lost one;
 * {@code Rebuild}, the steps; {@code RebuildStream} and {@code SlotRecovery}, what is copied and
 * which slots are complete; {@code VotingState}, in which slots this member votes; {@code
 * CorruptionRecovery}, what corrupted stores are still needed for; {@code MissedPurgeCheck},
 * whether tombstones were purged while this member was away.
 *
 * <p>Imports {@code background}, {@code data}, {@code placement}, {@code repair.salvage}, {@code
 * repair.state}, {@code replica}, {@code storage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.repair.rebuild;

import org.jspecify.annotations.NullMarked;
