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
 * The way of a newer topology into this node: it is kept on disk, its layout is computed, from then
 * on this node plans by it and refuses what was planned before; and once every event loop has
 * passed that moment, the waiter is notified.
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
   * The epochs from the one of the start on.
   *
   * @param loopContexts of this node, the first of which requests epochs and notifies the listeners
   */
  TopologyApplier(NodeDependencies dependencies, Layout first, List<LoopContext> loopContexts) {
    this.dependencies = dependencies;
    this.layout = first;
    this.seen = first.epoch();
    this.loopContexts = loopContexts;
  }

  /** Where records are. */
  Layout layout() {
    return layout;
  }

  /** The newest epoch below which no event loop of this node takes or sends anything any more. */
  long seen() {
    return seen;
  }

  /** Tells, on the first event loop, of each layout once its epoch has been seen. */
  void listen(Consumer<Layout> listener) {
    listeners.add(listener);
  }

  /**
   * Takes a topology over if it is newer; any thread may offer one.
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
      dependencies.topologyFile().accept(newer);
    } catch (RuntimeException e) {
      // Its source will offer it again.
      log.error("Epoch {} cannot be persisted and is not applied", newer.epoch(), e);
      return;
    }
    Layout next = layout.next(newer);
    // In this order: what is planned by the new layout is not refused here.
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
   * Asks a member that has a newer epoch for its topology, or all the others where it is one that
   * only the newer topology lists; on any thread.
   */
  void askOf(MemberId member) {
    if (wanted.add(member)) {
      loopContexts.getFirst().loop().execute(this::askNext);
    }
  }

  /** One at a time, on the first event loop: the first answer mostly makes the others needless. */
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
