package dev.kvorum;

import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.repair.HandoffSettings;
import dev.kvorum.repair.RepairSettings;
import java.time.Duration;

/**
 * The settings of a node's core.
 *
 * @param clockMaxOffset how far a version may be ahead of the wall clock
 * @param clockReserve how far ahead the clock's mark is kept on disk
 * @param startupPeers how long a starting node waits to know which peers can be reached
 * @param hintPullMax how long a starting node waits for its hints
 */
public record CoreSettings(
    CoordinatorSettings coordinator,
    HandoffSettings handoff,
    RepairSettings repair,
    RebalanceSettings rebalance,
    Duration clockMaxOffset,
    Duration clockReserve,
    Duration startupPeers,
    Duration hintPullMax) {}
