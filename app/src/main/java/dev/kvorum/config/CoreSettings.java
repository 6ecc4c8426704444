package dev.kvorum.config;

import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.hints.HandoffSettings;
import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.repair.state.RepairSettings;
import java.time.Duration;

/**
 * The settings of a node's core.
 *
 * @param clockMaxOffset how far a version may be ahead of the wall clock
 * @param clockReserve how far ahead the clock's mark is kept on disk
 * @param startupPeers how long a starting node waits to find out which peers are reachable
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
