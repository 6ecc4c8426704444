package dev.kvorum.simulation.operators;

import dev.kvorum.placement.Layout;
import dev.kvorum.simulation.cluster.MembersOperator;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes the members as an operator does, in ways that the real one does not choose: any member
 * may leave, and changes follow each other at once. One change at a time, each step once all have
 * reported the one before. Some changes are cancelled midway.
 */
public class SimOperator extends MembersOperator {
  private static final long POLL_MILLIS = 150;
  private static final int MORE_MEMBERS_MAX = 2;
  private static final int MEMBERS_MIN = 3;

  /** Failure domains; most members that move get another one. */
  static final List<String> ZONES = List.of("", "a", "b", "c");

  private final SplittableRandom zones;
  private MemberId changing = new MemberId("nobody");
  private @Nullable SimNode removed;
  private boolean founded;
  private long notBeforeMillis;

  public SimOperator(SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    super(cluster, first, layouts);
    zones = new SplittableRandom(cluster.profile.seed() * 53);
  }

  @Override
  public void start() {
    after(500 + random.nextLong(3000), this::poll);
  }

  @Override
  public boolean isFounded() {
    return founded;
  }

  @Override
  public void watchFounding() {
    founded |= cluster.isAnyComplete();
    if (!founded) {
      after(POLL_MILLIS, this::watchFounding);
    }
  }

  private void poll() {
    if (!cluster.invariants.violations().isEmpty()) {
      return;
    }
    remind();
    if (isLingering()) {
      after(POLL_MILLIS, this::poll);
      return;
    }
    boolean changes = topology().phase() != Phase.STABLE;
    if (changes && random.nextInt(isRestless() ? 400 : 40) == 0 && !isOver()) {
      cancel();
    } else if (haveAllReported()) {
      advance();
    }
    after(POLL_MILLIS, this::poll);
  }

  private boolean isRestless() {
    return cluster.profile.bias() == Bias.MEMBERS;
  }

  /** Where changes are what a run is about, some phases last, so that much happens in them. */
  boolean isLingering() {
    return !isOver() && cluster.trace.millis() < notBeforeMillis;
  }

  private void advance() {
    switch (topology().phase()) {
      case STABLE -> {
        // All have received it; a process that ends may still complete a write.
        removeFormer();
        dropFormerLayout();
        if (!isOver() && removed == null && random.nextInt(isRestless() ? 2 : 12) == 0) {
          begin();
        }
      }
      case TRANSFERRING -> publish(Phase.SETTLING, true);
      case SETTLING -> publish(Phase.STABLE, true);
    }
  }

  /** Begins a change. */
  void begin() {
    if (zones.nextInt(4) == 0) {
      move();
      return;
    }
    if (zones.nextBoolean() && remove()) {
      return;
    }
    Topology topology = topology();
    int more = topology.members().size() - cluster.profile.members();
    boolean fewest = topology.members().size() == MEMBERS_MIN;
    if (fewest || (more < MORE_MEMBERS_MAX && random.nextBoolean())) {
      join();
    } else {
      leave(topology.members().get(random.nextInt(topology.members().size())).id());
    }
  }

  void join() {
    int number = 0;
    while (isMember(new MemberId("n" + number))) {
      number++;
    }
    changing = new MemberId("n" + number);
    count("join");
    List<Member> members = new ArrayList<>(topology().members());
    members.add(new Member(changing, "", MemberState.JOINING));
    transfer(members);
    cluster.add(changing, topology()).start();
  }

  void leave(MemberId member) {
    changing = member;
    count("leave");
    transfer(
        topology().members().stream()
            .map(each ->
                each.id().equals(member)
                    ? new Member(member, each.zone(), MemberState.LEAVING)
                    : each)
            .toList());
  }

  /**
   * Removes a member whose machine is lost, or looks so: it may still run, and receive the news or
   * not. Whether there is one to remove.
   */
  private boolean remove() {
    SimNode node = cluster.nodes().get(zones.nextInt(cluster.nodes().size()));
    boolean may =
        cluster.profile.wipes()
            && topology().members().size() > MEMBERS_MIN
            && cluster.areOthersComplete(node);
    if (!may) {
      return false;
    }
    removed = node;
    if (zones.nextInt(3) > 0) {
      node.isLost = true;
      cluster.crash(node, false);
    }
    after(zones.nextInt(3000), () -> announceRemoval(node));
    return true;
  }

  private void announceRemoval(SimNode node) {
    if (isOver() && !node.isLost) {
      removed = null;
      return;
    }
    if (!cluster.areOthersComplete(node)) {
      if (isOver() && cluster.profile.corrupts()) {
        // A member may need its word on salvaged records before it is complete.
        findAgain(node);
      } else {
        after(POLL_MILLIS, () -> announceRemoval(node));
      }
      return;
    }
    changing = node.id;
    count("remove");
    transfer(
        topology().members().stream()
            .map(each ->
                each.id().equals(node.id)
                    ? new Member(each.id(), each.zone(), MemberState.REMOVING)
                    : each)
            .toList());
  }

  private void move() {
    List<Member> members =
        topology().members().stream()
            .map(member -> {
              String zone = ZONES.get(zones.nextInt(ZONES.size()));
              return zone.equals(member.zone())
                  ? member
                  : new Member(member.id(), member.zone(), MemberState.MOVING, zone);
            })
            .toList();
    if (!members.equals(topology().members())) {
      count("move");
      transfer(members);
    }
  }

  private void transfer(List<Member> members) {
    Topology now = topology();
    publish(new Topology(now.clusterId(), now.epoch() + 1, Phase.TRANSFERRING, members));
  }

  private void cancel() {
    count("cancelled");
    SimNode joiner = cluster.byId().get(changing);
    boolean joins = topology().before().stream().noneMatch(member -> member.id().equals(changing));
    publish(Phase.STABLE, false);
    if (removed != null) {
      findAgain(removed);
    }
    if (joins && joiner != null && random.nextBoolean()) {
      // Its machine is dead but its volume is not: it never receives its removal.
      count("given-up");
      cluster.giveUp(joiner);
    }
  }

  private void findAgain(SimNode node) {
    removed = null;
    node.isLost = false;
    node.start();
  }

  /** The next epoch of the change under way; a stable one has the members after it, or before. */
  void publish(Phase phase, boolean after) {
    Topology topology = topology();
    List<Member> members = topology.members();
    if (phase == Phase.STABLE) {
      // Not by Topology.after(), which mutants break.
      Set<MemberState> gone =
          after
              ? EnumSet.of(MemberState.LEAVING, MemberState.REMOVING)
              : EnumSet.of(MemberState.JOINING);
      members =
          members.stream()
              .filter(member -> !gone.contains(member.state()))
              .map(member ->
                  new Member(
                      member.id(), after ? member.nextZone() : member.zone(), MemberState.ACTIVE))
              .toList();
      count(after ? "changed" : "unchanged");
    }
    publish(new Topology(topology.clusterId(), topology.epoch() + 1, phase, members));
    if (phase == Phase.STABLE && after) {
      takeRemovedAway();
    }
  }

  /** A machine that was lost may be found again, with what it had. */
  private void takeRemovedAway() {
    SimNode node = removed;
    removed = null;
    if (node == null || !node.isLost) {
      return;
    }
    if (zones.nextBoolean()) {
      node.isLost = false;
      cluster.giveUp(node);
    } else {
      cluster.remove(node);
    }
  }

  @Override
  protected void publish(Topology next) {
    if (isRestless() && !isOver()) {
      cluster.disturb(random);
      notBeforeMillis = cluster.trace.millis() + (random.nextBoolean() ? random.nextLong(1500) : 0);
    }
    super.publish(next);
  }

  private void removeFormer() {
    for (SimNode node : cluster.nodes()) {
      if (!isMember(node.id)) {
        cluster.remove(node);
      }
    }
  }
}
