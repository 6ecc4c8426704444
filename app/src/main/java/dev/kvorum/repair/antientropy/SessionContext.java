package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;

/**
 * What all repair sessions of this member share, and the server of its peers' sessions.
 *
 * @param dropped records that sessions dropped because other members keep newer versions
 */
record SessionContext(
    BackgroundContext background,
    RepairSettings settings,
    RepairMarks marks,
    BackgroundRateLimiter rateLimiter,
    MerkleTreeBuilder trees,
    PeerWatermarks watermarks,
    TombstonePurger purger,
    StreamReceiver receiver,
    DroppedRecords dropped) {}
