package dev.kvorum.node;

import dev.kvorum.placement.Layout;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.AskTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies newer topologies to this node. It stores the topology on disk and computes its layout.
 * From then on, the node plans by the new layout and rejects requests planned before. Once every
 * event loop has passed that moment, listeners are notified.
 */
final class TopologyApplier {
  private static final Logger log = LoggerFactory.getLogger(TopologyApplier.class);
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NodeDependencies dependencies;
  private final List<LoopContext> loopContexts;
  private final List<Consumer<Layout>> listeners = new ArrayList<>();
  private final Set<MemberId> wanted = ConcurrentHashMap.newKeySet();
  private boolean asking;
  private volatile Layout layout;
  private volatile long seen;

  /**
   * Creates the applier, starting with the epoch at the node's start.
   *
   * @param loopContexts all event loops of this node; the first one requests topologies and
   *     notifies the listeners
   */
  TopologyApplier(NodeDependencies dependencies, Layout first, List<LoopContext> loopContexts) {
    this.dependencies = dependencies;
    this.layout = first;
    this.seen = first.epoch();
    this.loopContexts = loopContexts;
  }

  /** The current layout. */
  Layout layout() {
    return layout;
  }

  /** The newest epoch below which no event loop of this node sends or accepts requests any more. */
  long seen() {
    return seen;
  }

  /**
   * Registers a listener, called on the first event loop for each layout once its epoch is seen.
   */
  void listen(Consumer<Layout> listener) {
    listeners.add(listener);
  }

  /**
   * Applies a topology if it is newer. Safe for any thread.
   *
   * @return whether it is of this cluster and newer
   */
  boolean offer(Topology candidate) {
    Topology now = dependencies.topology().get();
    if (!candidate.clusterId().equals(now.clusterId())) {
      log.error(
          "Ignored a topology of cluster '{}': this node belongs to '{}'",
          candidate.clusterId(),
          now.clusterId());
      return false;
    }
    if (candidate.epoch() <= now.epoch()) {
      return false;
    }
    dependencies.background().execute(() -> apply(candidate));
    return true;
  }

  private void apply(Topology newer) {
    if (newer.epoch() <= layout.epoch()) {
      return;
    }
    try {
      dependencies.member().features().activate(newer.features());
      dependencies.topologyFile().accept(newer);
    } catch (RuntimeException e) {
      // Its source will offer it again.
      log.error("Epoch {} cannot be persisted and is not applied", newer.epoch(), e);
      return;
    }
    Layout next = layout.next(newer);
    // In this order, so that this node does not reject requests planned by the new layout.
    layout = next;
    dependencies.topology().offer(newer);
    log.info("Epoch {}: {} with {}", newer.epoch(), newer.phase(), newer.names());
    AtomicInteger open = new AtomicInteger(loopContexts.size());
    for (LoopContext loopContext : loopContexts) {
      loopContext
          .loop()
          .execute(() -> {
            if (open.decrementAndGet() == 0) {
              loopContexts.getFirst().loop().execute(() -> passed(next));
            }
          });
    }
  }

  private void passed(Layout next) {
    if (next.epoch() > seen) {
      seen = next.epoch();
      listeners.forEach(listener -> listener.accept(next));
    }
  }

  /**
   * Requests the topology of a member that has a newer epoch. If only the newer topology lists that
   * member, it asks all peers instead. Safe for any thread.
   */
  void askOf(MemberId member) {
    if (wanted.add(member)) {
      loopContexts.getFirst().loop().execute(this::askNext);
    }
  }

  /**
   * Asks one member at a time, on the first event loop: the first reply usually makes further ones
   * unnecessary.
   */
  private void askNext() {
    Iterator<MemberId> next = wanted.iterator();
    if (asking || !next.hasNext()) {
      return;
    }
    MemberId member = next.next();
    wanted.remove(member);
    Topology now = dependencies.topology().get();
    if (now.member(member).isEmpty()) {
      now.members().stream()
          .map(Member::id)
          .filter(other -> !other.equals(dependencies.self()))
          .forEach(wanted::add);
      askNext();
    } else {
      asking = true;
      ask(loopContexts.getFirst().replicas(), member);
    }
  }

  private void ask(Replicas replicas, MemberId member) {
    replicas.ask(
        member,
        AskTopology.ASK_TOPOLOGY,
        dependencies.nanoTime().getAsLong() + ASK_NANOS,
        reply -> {
          asking = false;
          if (reply instanceof TransferReply.Known known) {
            offer(known.topology());
          }
          askNext();
        });
  }
}
