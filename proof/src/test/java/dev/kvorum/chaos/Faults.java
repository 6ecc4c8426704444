package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.storage.rocks.LogCorruption;
import dev.kvorum.storage.rocks.LogCorruption.Tear;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/** The things that can be done to a cluster, each with what undoes it. */
final class Faults {
  private static final String DISK_FREE_MIN = "kvorum.storage.disk-free-min";
  private static final String SKEW = "kvorum.clock.skew";
  private static final List<Tear> TEARS = List.of(Tear.values());
  private static final Duration EXIT_MAX = Duration.ofSeconds(15);

  private final Cluster cluster;
  private final Network network;
  private final SplittableRandom random;

  /** What can go wrong. */
  enum Kind {
    /** {@code kill -9}, and a start afterwards. */
    KILL,
    /** SIGSTOP, and SIGCONT afterwards. */
    PAUSE,
    /** SIGTERM, and a start afterwards. */
    TERMINATE,
    /** {@code kill -9} of all nodes at once, and a start of all. */
    KILL_ALL,
    /**
     * {@code kill -9} of all, and a record that was never acknowledged torn at the end of each log.
     */
    POWER_LOSS,
    /** Flipped bits in what two nodes have synced, the log of one and the tables of the other. */
    CORRUPTION,
    /** What one node sends to others, or others to it, is lost. */
    CUT_ONE_WAY,
    /** What one node and others send to each other is lost. */
    CUT_BOTH_WAYS,
    /** What a node sends comes late or not at all. */
    DELAY_AND_LOSS,
    /** A node finds less free space than it must leave. */
    DISK_FULL,
    /** A node loses its disk and starts with an empty one. */
    EMPTY_DISK,
    /** A node's clock is wrong. */
    CLOCK_SKEW;

    /** The name in tables. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One fault.
   *
   * @param victim the node that it is done to, or {@code all}
   * @param detail what is special about it, may be empty
   * @param strike makes it happen; returns when it has
   * @param heal undoes it; returns at once
   */
  record Fault(Kind kind, String victim, String detail, Runnable strike, Runnable heal) {
    @Override
    public String toString() {
      return kind.label() + " " + victim + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  Faults(Cluster cluster, Network network, SplittableRandom random) {
    this.cluster = cluster;
    this.network = network;
    this.random = random;
  }

  /** The kinds that a run has. */
  static Set<Kind> kinds(ChaosSettings settings, Network network) {
    Set<Kind> kinds =
        EnumSet.of(
            Kind.KILL,
            Kind.PAUSE,
            Kind.TERMINATE,
            Kind.KILL_ALL,
            Kind.POWER_LOSS,
            Kind.CORRUPTION,
            Kind.DISK_FULL,
            Kind.CLOCK_SKEW);
    kinds.addAll(network.kinds());
    if (settings.emptyDisk()) {
      kinds.add(Kind.EMPTY_DISK);
    }
    return kinds;
  }

  /** How far a node's clock is set ahead of the machine's, since it was last started. */
  static long skewMillis(NodeProcess node) {
    String skew = node.setting(SKEW);
    return skew.isEmpty() ? 0 : Long.parseLong(skew.replace("ms", ""));
  }

  /** A fault of some kind that hits the node with this number. */
  Fault of(Kind kind, int victim) {
    NodeProcess node = cluster.nodes().get(victim);
    return switch (kind) {
      case KILL -> fault(kind, node, "", node::kill, node::launch);
      case PAUSE -> fault(kind, node, "", node::pause, node::resume);
      case TERMINATE -> fault(kind, node, "", () -> terminate(node), node::launch);
      case KILL_ALL ->
          new Fault(
              kind,
              "all",
              "",
              () -> cluster.nodes().parallelStream().forEach(NodeProcess::kill),
              cluster::launchStopped);
      case POWER_LOSS ->
          new Fault(kind, "all", "torn logs", this::losePower, cluster::launchStopped);
      case CORRUPTION -> corruption(victim);
      case CUT_ONE_WAY -> cut(victim, random.nextBoolean(), false);
      case CUT_BOTH_WAYS -> cut(victim, true, true);
      case DELAY_AND_LOSS -> slow(victim);
      case DISK_FULL ->
          fault(
              kind,
              node,
              "",
              () -> restart(node, DISK_FREE_MIN, "1000TB").awaitReady(),
              () -> restart(node, DISK_FREE_MIN, "1MB"));
      case EMPTY_DISK -> fault(kind, node, "", () -> loseDisk(node), node::launch);
      case CLOCK_SKEW -> skew(node);
    };
  }

  private static Fault fault(
      Kind kind, NodeProcess node, String detail, Runnable strike, Runnable heal) {
    return new Fault(kind, node.name(), detail, strike, heal);
  }

  private void losePower() {
    cluster.nodes().parallelStream().forEach(NodeProcess::kill);
    for (NodeProcess node : cluster.nodes()) {
      LogCorruption.tear(store(node), TEARS.get(random.nextInt(TEARS.size())), random);
    }
  }

  private Fault corruption(int victim) {
    NodeProcess log = cluster.nodes().get(victim);
    NodeProcess tables = cluster.nodes().get((victim + 1) % cluster.nodes().size());
    return new Fault(
        Kind.CORRUPTION,
        "all",
        "the log of " + log.name() + ", the tables of " + tables.name(),
        () -> {
          // What both of them hold alone of a write may be hit; the others get it first.
          cluster.awaitHintsDelivered();
          log.kill();
          tables.kill();
          LogCorruption.flip(store(log), random);
          LogCorruption.flipTables(store(tables), random);
        },
        cluster::launchStopped);
  }

  private static Path store(NodeProcess node) {
    return Path.of(node.setting("kvorum.data-dir"), "store");
  }

  private static void terminate(NodeProcess node) {
    node.terminate();
    node.awaitExit(EXIT_MAX);
  }

  private static void loseDisk(NodeProcess node) {
    node.kill();
    node.wipe();
  }

  private static NodeProcess restart(NodeProcess node, String setting, String value) {
    node.kill();
    return node.set(setting, value).launch();
  }

  private Fault skew(NodeProcess node) {
    // Mostly within what versions may be ahead (500 ms), now and then far outside.
    int most = random.nextInt(4) == 0 ? 3_000 : 400;
    int amount = random.nextInt(50, most) * (random.nextBoolean() ? 1 : -1);
    return fault(
        Kind.CLOCK_SKEW,
        node,
        "%+d ms".formatted(amount),
        () -> restart(node, SKEW, amount + "ms").awaitReady(),
        () -> restart(node, SKEW, "0ms"));
  }

  private Fault slow(int victim) {
    int degree = random.nextInt(1, 6);
    return fault(
        Kind.DELAY_AND_LOSS,
        cluster.nodes().get(victim),
        "degree " + degree,
        () -> network.slow(victim, degree),
        network::heal);
  }

  private Fault cut(int victim, boolean outgoing, boolean bothWays) {
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < cluster.nodes().size(); i++) {
      if (i != victim) {
        others.add(i);
      }
    }
    boolean fromAll = random.nextInt(3) > 0;
    List<Integer> from = fromAll ? others : List.of(others.get(random.nextInt(others.size())));
    String direction = bothWays ? "from and to " : outgoing ? "to " : "from ";
    return fault(
        bothWays ? Kind.CUT_BOTH_WAYS : Kind.CUT_ONE_WAY,
        cluster.nodes().get(victim),
        direction + (fromAll ? "all others" : cluster.nodes().get(from.getFirst()).name()),
        () -> {
          for (int other : from) {
            if (bothWays || outgoing) {
              network.cut(victim, other);
            }
            if (bothWays || !outgoing) {
              network.cut(other, victim);
            }
          }
        },
        network::heal);
  }
}
