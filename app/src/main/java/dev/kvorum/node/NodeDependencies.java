package dev.kvorum.node;

import dev.kvorum.repair.rebuild.StoreReset;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Store;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.Tracer;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a node depends on: a disk, two clocks and a thread of a machine, or a simulator's
 * substitutes for them.
 *
 * @param member who this node is
 * @param topologyFile keeps a topology on disk, or throws; may block
 * @param setAside corrupted stores that the present one took the place of
 * @param verifier compares records with their checksums, the store's as well
 * @param wallClock what people and other nodes call the time
 * @param nanoTime a monotone clock, in nanoseconds
 * @param background runs what may block
 * @param founding whether the cluster has begun, as is known outside of the store
 * @param tracer records requests to replicas
 * @param startOver puts an empty store in the place of one that cannot be relied on any more
 */
public record NodeDependencies(
    LocalMember member,
    Consumer<Topology> topologyFile,
    Store store,
    HintStore hints,
    MarkStore marks,
    SetAsideStores setAside,
    ChecksumVerifier verifier,
    InstantSource wallClock,
    LongSupplier nanoTime,
    Executor background,
    Founding founding,
    Tracer tracer,
    StoreReset startOver) {
  MemberId self() {
    return member.id();
  }

  CurrentTopology topology() {
    return member.topology();
  }
}
