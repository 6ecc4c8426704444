package dev.kvorum.simulation;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.simulation.clients.SimClient;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Invariant;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Profile.HotKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Watches {@code Invariant.UNAVAILABLE}: in peace, members are lost until any number is left, also
 * a minority. A request whose {@code ack} the live members can confirm succeeds, each other one
 * ends undecided at its timeout, and none is rejected.
 */
public final class MembersLost {
  /** Before a failure is detected. */
  private static final long SOON_MILLIS = 500;

  /**
   * After the last mark of a clock without peers; and after the first one of a process that starts
   * where one has just ended, and gives no versions below that one's mark.
   */
  private static final long SETTLED_MILLIS = 5_000;

  /** A member that was away for long asks for 10 s whether it missed purged tombstones. */
  private static final long COMPLETE_MAX_MILLIS = 15_000;

  private static final long ANSWER_MAX_MILLIS = 4_000;

  /** What happens to them. */
  private enum Loss {
    KILLED,
    STOPPED,
    CUT_OFF,
    /** The others are killed too, and start again. */
    KILLED_WITH_ALL
  }

  private final Simulation run;
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Map<String, Map<String, Integer>> wrong = new TreeMap<>();
  private int asked;
  private int answered;

  MembersLost(Simulation run, SimCluster cluster) {
    this.run = run;
    this.cluster = cluster;
    // Of its own: the run before is the same without it.
    this.random = new SplittableRandom(cluster.profile.seed() * 31);
  }

  /**
   * Whether a run ends with this. A clock that is broken or too coarse may give no version, and
   * what is corrupted may be unknown.
   */
  public static boolean isIn(Profile profile) {
    return profile.areClocksBounded()
        && profile.clockTickMillis() == 1
        && !profile.corrupts()
        && !profile.flips()
        && new SplittableRandom(profile.seed() * 37).nextInt(3) == 0;
  }

  void play() {
    List<SimNode> live = cluster.nodes();
    Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
    List<SimNode> lost = new ArrayList<>();
    for (int count = 1 + random.nextInt(live.size() - 1); count > 0; count--) {
      lost.add(live.remove(random.nextInt(live.size())));
    }
    String what = ids(lost) + " are " + loss + ", " + ids(live) + " live";
    cluster.trace.note(what);
    lose(loss, lost, live);
    long begun = cluster.trace.millis();
    List<Long> times =
        loss == Loss.KILLED_WITH_ALL
            ? List.of(SETTLED_MILLIS)
            : List.of(SOON_MILLIS, SETTLED_MILLIS);
    for (long millis : times) {
      run.advance(begun + millis - cluster.trace.millis());
      if (run.isBroken()) {
        return;
      }
      askAll(live, what);
    }
    bringBack(loss, lost, live);
    run.awaitConvergence();
    run.readAll();
  }

  private static List<String> ids(List<SimNode> nodes) {
    return nodes.stream().map(node -> node.id.name()).toList();
  }

  private void lose(Loss loss, List<SimNode> lost, List<SimNode> live) {
    for (SimNode node : lost) {
      switch (loss) {
        case KILLED, KILLED_WITH_ALL -> cluster.crash(node, false);
        case STOPPED -> node.stop();
        case CUT_OFF -> cut(node, live, true);
      }
    }
    if (loss == Loss.KILLED_WITH_ALL) {
      live.forEach(node -> cluster.crash(node, false));
      live.forEach(SimNode::start);
      long end = cluster.trace.millis() + COMPLETE_MAX_MILLIS;
      boolean complete = false;
      while (!complete && !run.isBroken() && cluster.trace.millis() < end) {
        run.advance(20);
        complete = live.stream().allMatch(MembersLost::isComplete);
      }
      if (!complete) {
        cluster.invariants.violated(
            Invariant.UNAVAILABLE, "not complete without the others: " + ids(live));
      }
    }
  }

  private static boolean isComplete(SimNode node) {
    SimProcess process = node.process();
    return process != null && process.isReady() && process.core().repair().complete().isDone();
  }

  private void cut(SimNode node, List<SimNode> others, boolean isCut) {
    for (SimNode other : others) {
      cluster.network.cut(node.id, other.id, isCut);
      cluster.network.cut(other.id, node.id, isCut);
    }
  }

  private void bringBack(Loss loss, List<SimNode> lost, List<SimNode> live) {
    for (SimNode node : lost) {
      switch (loss) {
        case KILLED, KILLED_WITH_ALL -> node.start();
        case STOPPED -> node.resume();
        case CUT_OFF -> cut(node, live, false);
      }
    }
  }

  /** All at once, as many of them wait for the timeout. */
  private void askAll(List<SimNode> live, String when) {
    int members = cluster.operator.fromMax();
    HotKey key = cluster.profile.keys().stream().filter(hot -> !hot.strict()).findFirst().get();
    for (SimNode node : live) {
      for (int ack = 1; ack <= members; ack++) {
        Quorum quorum = new Quorum(ack, members);
        boolean enough = ack <= live.size();
        ask(
            "put " + ack + " at " + node.id,
            enough ? List.of("Acknowledged") : List.of("Indeterminate"),
            (client, then) -> client.put(node, key, quorum, then));
        ask(
            "get " + ack + " at " + node.id,
            enough ? List.of("Found", "NotFound") : List.of("NoQuorum"),
            (client, then) -> client.read(node, key, quorum, then));
      }
    }
    long end = cluster.trace.millis() + ANSWER_MAX_MILLIS;
    while (answered < asked && !run.isBroken() && cluster.trace.millis() < end) {
      run.advance(20);
    }
    if (answered < asked || !wrong.isEmpty()) {
      cluster.invariants.violated(
          Invariant.UNAVAILABLE, when + ": of " + asked + " " + answered + ", " + wrong);
    }
  }

  private void ask(String what, List<String> wanted, BiConsumer<SimClient, Runnable> request) {
    Map<String, Integer> outcome = new TreeMap<>();
    SimClient client = new SimClient("m" + asked++, cluster, outcome).patient();
    request.accept(
        client,
        () -> {
          answered++;
          if (!wanted.containsAll(outcome.keySet())) {
            wrong.put(what, outcome);
          }
        });
  }
}
