package dev.kvorum.simulation.cluster;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.simulation.network.SimNetwork;
import dev.kvorum.storage.Durability;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What all processes of a cluster share.
 *
 * @param agreesOnFeatures whether a feature becomes active once all members have it
 * @param haveAllHadAll whether each member has ever had a release with all features
 */
record SimWorld(
    VirtualLoop time,
    int loopContexts,
    SimNetwork network,
    CoreSettings settings,
    Durability durability,
    Function<Topology, Layout> layouts,
    Meters meters,
    Breakage breakage,
    boolean agreesOnFeatures,
    BooleanSupplier haveAllHadAll,
    BooleanSupplier founded,
    Consumer<MemberId> onReset,
    Consumer<MemberId> onDeath,
    BiConsumer<MemberId, String> onStaleServed,
    Consumer<RuntimeException> onFailure) {}
