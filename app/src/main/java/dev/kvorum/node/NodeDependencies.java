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
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.Tracer;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The dependencies of a node: a machine's disk, clocks and thread, or a simulator's substitutes for
 * them.
 *
 * @param member identity of this node
 * @param topologyFile stores a topology on disk, or throws; may block
 * @param store the records of this member; a {@link FeatureGate} is put in front
 * @param setAside corrupted stores that the current one has replaced
 * @param verifier verifies the checksums of records, including those of the store
 * @param wallClock the machine's wall clock
 * @param nanoTime a monotonic clock in nanoseconds
 * @param background runs tasks that may block
 * @param founding whether the cluster is founded, from sources other than the store
 * @param tracer records requests to replicas
 * @param storeReset replaces a store that is no longer reliable by an empty one
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
    StoreReset storeReset) {
  public NodeDependencies {
    store = new FeatureGate(store, member.features(), background);
  }

  MemberId self() {
    return member.id();
  }

  /** The other members. */
  List<MemberId> peers() {
    return topology().get().members().stream()
        .map(Member::id)
        .filter(id -> !id.equals(self()))
        .toList();
  }

  /** The other members that are known to all: no joiner, and none that is removed as lost. */
  List<MemberId> settled() {
    return topology().get().members().stream()
        .filter(other -> other.isSource() && !other.id().equals(self()))
        .map(Member::id)
        .toList();
  }

  CurrentTopology topology() {
    return member.topology();
  }
}
