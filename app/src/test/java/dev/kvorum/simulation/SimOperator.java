package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Whoever changes the members, as an operator does: one change at a time, each step once all have
 * reported the one before. Some changes are called off midway. News reaches some nodes late, and
 * some only through other nodes.
 */
final class SimOperator {
  private static final long POLL_MILLIS = 150;
  private static final int MORE_MEMBERS_MAX = 2;
  private static final int MEMBERS_MIN = 3;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Function<Topology, Layout> layouts;
  private final Map<String, Integer> counts = new TreeMap<>();
  private Topology topology;
  private Layout before;
  private Layout now;
  private MemberId changing = new MemberId("nobody");
  private boolean over;
  private boolean founded;
  private long notBeforeMillis;

  SimOperator(SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    this.cluster = cluster;
    this.random = cluster.random.split();
    this.layouts = layouts;
    this.topology = first;
    this.now = layouts.apply(first);
    this.before = now;
  }

  /** Begins changes from now on. */
  void start() {
    cluster.time.schedule(this::look, 500 + random.nextLong(3000), TimeUnit.MILLISECONDS);
  }

  /** Begins no more changes; one that is under way is brought to its end. */
  void end() {
    over = true;
  }

  Map<String, Integer> counts() {
    return counts;
  }

  /** What is in the API. */
  Topology topology() {
    return topology;
  }

  /** Most copies that a request may ask for now. */
  int fromMax() {
    return now.fromMax();
  }

  /** Whether it is written down that the cluster has begun. */
  boolean isFounded() {
    return founded;
  }

  /** Writes down that the cluster has begun once a member is complete. */
  void watchFounding() {
    founded |= cluster.isAnyWhole();
    if (!founded) {
      cluster.time.schedule(this::watchFounding, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Whether nothing is left to be done. */
  boolean isAtRest() {
    return topology.phase() == Phase.STABLE && haveAllReported() && areFormerGone();
  }

  private boolean areFormerGone() {
    return cluster.nodes().stream().allMatch(node -> topology.member(node.id).isPresent());
  }

  /** Who may keep a record while some know of the newest epoch and some do not. */
  List<MemberId> keepers(Key key, int from) {
    List<MemberId> keepers = new ArrayList<>(now.writes(key, from).replicas());
    before.writes(key, from).replicas().stream()
        .filter(member -> !keepers.contains(member))
        .forEach(keepers::add);
    return keepers;
  }

  private void look() {
    if (!cluster.nevers.violations().isEmpty()) {
      return;
    }
    remind();
    if (isLingering()) {
      cluster.time.schedule(this::look, POLL_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    if (topology.phase() != Phase.STABLE && random.nextInt(isRestless() ? 400 : 40) == 0 && !over) {
      callOff();
    } else if (haveAllReported()) {
      advance();
    }
    cluster.time.schedule(this::look, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private boolean isRestless() {
    return cluster.profile.bias() == Bias.MEMBERS;
  }

  /** Where changes are what a run is about, some phases last, so that much happens in them. */
  private boolean isLingering() {
    return !over && cluster.trace.millis() < notBeforeMillis;
  }

  private boolean haveAllReported() {
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      if (process == null || node.isStopped() || process.core().epochSeen() < topology.epoch()) {
        return false;
      }
      TransferReport report = process.core().rebalance().report();
      boolean done = report.epoch() == topology.epoch() && report.state() == State.DONE;
      boolean member = topology.member(node.id).isPresent();
      boolean ready =
          topology.phase() == Phase.STABLE ? process.core().rebalance().isCleared() : done;
      if (member && (!ready || !process.core().repair().hasAll())) {
        return false;
      }
    }
    return true;
  }

  private void advance() {
    switch (topology.phase()) {
      case STABLE -> {
        // All know of it; a process that ends may yet write what it had begun to.
        removeFormer();
        before = now;
        if (!over && random.nextInt(isRestless() ? 2 : 12) == 0) {
          begin();
        }
      }
      case TRANSFERRING -> publish(Phase.SETTLING, true);
      case SETTLING -> publish(Phase.STABLE, true);
    }
  }

  private void begin() {
    int more = topology.members().size() - cluster.profile.members();
    boolean fewest = topology.members().size() == MEMBERS_MIN;
    boolean join = fewest || (more < MORE_MEMBERS_MAX && random.nextBoolean());
    List<Member> members = new ArrayList<>(topology.members());
    if (join) {
      int number = 0;
      while (topology.member(new MemberId("n" + number)).isPresent()) {
        number++;
      }
      changing = new MemberId("n" + number);
      members.add(new Member(changing, "", MemberState.JOINING));
    } else {
      int index = random.nextInt(members.size());
      changing = members.get(index).id();
      members.set(index, new Member(changing, "", MemberState.LEAVING));
    }
    count(join ? "join" : "leave");
    publish(new Topology(topology.clusterId(), topology.epoch() + 1, Phase.TRANSFERRING, members));
    if (join) {
      cluster.add(changing, topology).start();
    }
  }

  private void callOff() {
    count("called-off");
    SimNode joiner = cluster.byId().get(changing);
    boolean joins = topology.before().stream().noneMatch(member -> member.id().equals(changing));
    publish(Phase.STABLE, false);
    if (joins && joiner != null && random.nextBoolean()) {
      // Its machine is dead, and its volume is not: it never hears that it is no member.
      count("given-up");
      cluster.giveUp(joiner);
    }
  }

  /** The next epoch of the change under way; a stable one has the members after it, or before. */
  private void publish(Phase phase, boolean after) {
    List<Member> members = topology.members();
    if (phase == Phase.STABLE) {
      members =
          (after ? topology.after() : topology.before())
              .stream()
                  .map(member -> new Member(member.id(), member.zone(), MemberState.ACTIVE))
                  .toList();
      count(after ? "changed" : "unchanged");
    }
    publish(new Topology(topology.clusterId(), topology.epoch() + 1, phase, members));
  }

  private void publish(Topology next) {
    cluster.trace.note("epoch " + next.epoch() + " " + next.phase() + " " + next.members());
    if (isRestless() && !over) {
      cluster.disturb(random);
      notBeforeMillis = cluster.trace.millis() + (random.nextBoolean() ? random.nextLong(1500) : 0);
    }
    topology = next;
    before = now;
    now = layouts.apply(next);
    for (SimNode node : cluster.nodes()) {
      if (random.nextInt(5) > 0) {
        tell(node, random.nextLong(300));
      }
    }
  }

  /** Informers list anew from time to time. */
  private void remind() {
    for (SimNode node : cluster.nodes()) {
      if (random.nextInt(20) == 0) {
        tell(node, random.nextLong(100));
      }
    }
  }

  private void tell(SimNode node, long afterMillis) {
    Topology news = topology;
    cluster.time.schedule(
        () -> {
          SimProcess process = node.process();
          if (process != null) {
            process.loop().execute(() -> process.core().offer(news));
          }
        },
        afterMillis,
        TimeUnit.MILLISECONDS);
  }

  private void removeFormer() {
    for (SimNode node : cluster.nodes()) {
      if (topology.member(node.id).isEmpty()) {
        cluster.remove(node);
      }
    }
  }

  private void count(String kind) {
    counts.merge(kind, 1, Integer::sum);
  }
}
