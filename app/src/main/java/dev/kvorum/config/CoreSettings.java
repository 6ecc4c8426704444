package dev.kvorum.config;

import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.hints.HintSettings;
import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.repair.state.RepairSettings;
import java.time.Duration;

/**
 * The settings of a node's core.
 *
 * @param startupPeers how long a starting node waits for peers to become reachable
 */
public record CoreSettings(
    CoordinatorSettings coordinator,
    HintSettings hints,
    RepairSettings repair,
    RebalanceSettings rebalance,
    KvorumProperties.Clock clock,
    Duration startupPeers) {}
