/**
 * Anti-entropy: pairwise comparison of replicas by Merkle trees, and the removal of tombstones.
 *
 * <p>Read {@link dev.kvorum.repair.antientropy.ReplicaRepair}, which owns all parts; {@code
 * AntiEntropy}, the schedule; {@code RepairSession}, one session with one peer; {@code
 * MerkleTreeBuilder} and {@code MerkleTrees}, {@code TreeComparison} and {@code RepairTask}, which
 * find and fetch differences; {@code RepairServer}, which replies to peers; {@code PeerWatermarks},
 * which records what each peer has; and {@code TombstonePurger}, which relies on that.
 *
 * <p>Imports {@code background}, {@code data}, {@code placement}, {@code repair.state}, {@code
 * replica}, {@code storage}, {@code topology} and hash4j.
 */
@NullMarked
package dev.kvorum.repair.antientropy;

import org.jspecify.annotations.NullMarked;
