package dev.kvorum.simulation.faults;

import dev.kvorum.rpc.ProcessId;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Two processes of one member at a time. A node is cut off until it has no write under way; its
 * process continues with its disk at another address, and another process is started with a copy of
 * the disk, or with an empty one.
 *
 * <p>The old process stays cut off from each node until that has met the new one: a node that has
 * met only the old one accepts it (ADR 0017). Where one node cannot reach the new process, the old
 * one reaches that node once another node has rejected it. Then clients ask the old process too.
 */
final class DuplicateProcesses {
  private static final long POLL_MILLIS = 20;
  private static final long QUIET_MAX_MILLIS = 5000;
  private static final long MEETING_MAX_MILLIS = 30_000;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final BiConsumer<String, String> count;
  private boolean present;
  private boolean over;

  /**
   * One process of each member.
   *
   * @param count notified of each fault's kind and where it is
   */
  DuplicateProcesses(
      SimCluster cluster, SplittableRandom random, BiConsumer<String, String> count) {
    this.cluster = cluster;
    this.random = random;
    this.count = count;
  }

  void start() {
    nextAfter(1000 + random.nextLong(2000));
  }

  private void nextAfter(long millis) {
    boolean isDiskLost = cluster.profile.wipes() && random.nextBoolean();
    later(millis, () -> next(isDiskLost));
  }

  /** Whether there are two processes of a member, so that no other one may start. */
  boolean isPresent() {
    return present;
  }

  /** From now on each member has one process. */
  void end() {
    over = true;
    cluster.killOldProcess();
    cluster.nodes().forEach(node -> node.isDetaching = false);
  }

  private void next(boolean isDiskLost) {
    SimNode node = cluster.anyNode(random);
    if (!cluster.nodes().stream().allMatch(DuplicateProcesses::isUp)
        || (isDiskLost && !cluster.areOthersComplete(node))) {
      later(200, () -> next(isDiskLost));
      return;
    }
    present = true;
    node.isDetaching = true;
    cluster.network.isolate(node.id, true);
    split(node, isDiskLost, cluster.trace.millis() + QUIET_MAX_MILLIS);
  }

  private static boolean isUp(SimNode node) {
    SimProcess process = node.process();
    return process != null && process.isReady() && !node.isStopped();
  }

  private void split(SimNode node, boolean isDiskLost, long endMillis) {
    SimProcess process = node.process();
    boolean late = cluster.trace.millis() > endMillis;
    if (process == null || late) {
      reconnect(node);
      done();
    } else if (node.isStopped() || process.openWrites() > 0) {
      later(POLL_MILLIS, () -> split(node, isDiskLost, endMillis));
    } else {
      split(node, process, isDiskLost && cluster.areOthersComplete(node));
    }
  }

  private void reconnect(SimNode node) {
    node.isDetaching = false;
    cluster.network.isolate(node.id, false);
  }

  private void split(SimNode node, SimProcess process, boolean isDiskLost) {
    MemberId address = new MemberId(node.id.name() + "-old");
    boolean canDial = random.nextBoolean();
    Optional<SimNode> apart =
        canDial && random.nextBoolean() ? Optional.of(anotherThan(node)) : Optional.empty();
    count.accept(
        isDiskLost ? "duplicate-directory" : "duplicate-process",
        node.id + apart.map(other -> ", apart from " + other.id).orElse(""));
    SimProcess old = node.detach(process, isDiskLost);
    others(node).forEach(other -> setCut(address, other, true));
    old.moveTo(address, canDial);
    cluster.oldProcess(old);
    apart.ifPresent(other -> setCut(node.id, other, true));
    reconnect(node);
    later(20 + random.nextLong(300), node::start);
    Pair pair = new Pair(node, old, canDial, apart.orElse(null));
    await(pair, cluster.trace.millis() + MEETING_MAX_MILLIS);
  }

  private SimNode anotherThan(SimNode node) {
    List<SimNode> others = others(node);
    return others.get(random.nextInt(others.size()));
  }

  private List<SimNode> others(SimNode node) {
    return cluster.nodes().stream().filter(other -> other != node).toList();
  }

  private void setCut(MemberId address, SimNode other, boolean cut) {
    cluster.network.cut(address, other.id, cut);
    cluster.network.cut(other.id, address, cut);
  }

  /**
   * A member's processes.
   *
   * @param canDial whether the old one can make connections
   * @param apart a node that cannot reach the new one
   */
  private record Pair(SimNode node, SimProcess old, boolean canDial, @Nullable SimNode apart) {}

  private void await(Pair pair, long endMillis) {
    if (cluster.trace.millis() > endMillis) {
      kill(pair);
      return;
    }
    List<SimNode> meeting =
        others(pair.node).stream().filter(other -> other != pair.apart).toList();
    if (!meeting.stream().allMatch(other -> hasMet(other, pair.node))) {
      later(POLL_MILLIS, () -> await(pair, endMillis));
      return;
    }
    cluster.trace.note("back " + pair.old.address());
    meeting.forEach(other -> setCut(pair.old.address(), other, false));
    if (pair.apart != null) {
      awaitFence(pair, endMillis);
    } else if (pair.canDial) {
      later(500 + random.nextLong(3000), () -> kill(pair));
    } else {
      later(
          500 + random.nextLong(3000),
          () -> {
            pair.old.canDial(true);
            later(random.nextLong(1500), () -> kill(pair));
          });
    }
  }

  private static boolean hasMet(SimNode other, SimNode node) {
    SimProcess there = other.process();
    SimProcess fresh = node.process();
    if (there == null || fresh == null) {
      return false;
    }
    Optional<ProcessId> met = there.core().processes().current(node.id);
    return met.isPresent() && met.get().equals(fresh.self);
  }

  /** One rejection is enough: the old process serves no client, and may reach any node. */
  private void awaitFence(Pair pair, long endMillis) {
    if (cluster.trace.millis() > endMillis) {
      kill(pair);
    } else if (!pair.old.core().fence().isSuperseded()) {
      later(POLL_MILLIS, () -> awaitFence(pair, endMillis));
    } else if (pair.apart != null) {
      cluster.trace.note("fenced " + pair.old.address());
      setCut(pair.old.address(), pair.apart, false);
      later(1000 + random.nextLong(2500), () -> kill(pair));
    }
  }

  private void kill(Pair pair) {
    cluster.killOldProcess();
    if (pair.apart != null) {
      setCut(pair.node.id, pair.apart, false);
    }
    done();
  }

  private void done() {
    present = false;
    nextAfter(1000 + random.nextLong(4000));
  }

  private void later(long millis, Runnable action) {
    cluster.time.schedule(
        () -> {
          if (!over) {
            action.run();
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }
}
