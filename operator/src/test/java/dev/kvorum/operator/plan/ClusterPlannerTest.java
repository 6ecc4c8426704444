package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ClusterPlannerTest {
  private final World world = new World();

  private Step next() {
    return ClusterPlanner.plan(world.observe()).step();
  }

  private static void assertWaits(Step step, Reason reason) {
    assertThat(step)
        .isInstanceOfSatisfying(Step.Wait.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  private static void assertRefuses(Step step, Reason reason) {
    assertThat(step)
        .isInstanceOfSatisfying(Step.Refuse.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  private void born() {
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(3);
  }

  /** Takes steps, with the nodes' progress in between, until one of this kind is next. */
  private <T> T until(Class<T> kind) {
    for (int taken = 0; taken < 100; taken++) {
      Step step = next();
      Object what = step instanceof Step.NextEpoch change ? change.change() : step;
      if (kind.isInstance(what)) {
        return kind.cast(what);
      }
      world.apply(step);
      world.settle();
    }
    throw new AssertionError("no " + kind.getSimpleName() + " comes");
  }

  @Test
  void aClusterIsBornStepByStep() {
    List<String> steps = new ArrayList<>();
    for (Step step = next(); !(step instanceof Step.Rest); step = next()) {
      steps.add(step.getClass().getSimpleName());
      world.apply(step);
      world.settle();
    }
    assertThat(steps)
        .containsExactly(
            "Identify",
            "PutObject",
            "CreateStatefulSet",
            "MarkVolume",
            "MarkVolume",
            "MarkVolume",
            "Found");
    assertThat(world.topology.orElseThrow().epoch()).isEqualTo(1);
    assertThat(world.members())
        .extracting(TopologyMember::zone)
        .containsExactly("zone-0", "zone-1", "zone-2");
  }

  @Test
  void noTopologyIsWrittenBeforeEveryFirstPodRuns() {
    world.run();
    world.topology = Optional.empty();
    world.statusEpoch = 0;
    world.node(2).started = false;
    assertWaits(next(), Reason.PODS_PENDING);
  }

  @Test
  void aClusterIsNeverFoundedASecondTime() {
    born();
    world.topology = Optional.empty();
    assertRefuses(next(), Reason.TOPOLOGY_LOST);
    world.statusEpoch = 0;
    world.clusterId = "";
    assertRefuses(next(), Reason.VOLUMES_WITHOUT_TOPOLOGY);
  }

  @Test
  void aClusterCreatedAgainGoesOnWithTheTopologyThatWasKept() {
    born();
    world.clusterId = "";
    world.statusEpoch = 0;
    world.setReplicas = OptionalInt.empty();
    world.nodes.values().forEach(world::end);
    assertThat(next()).isEqualTo(new Step.Identify("id"));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.topology.orElseThrow().epoch()).isEqualTo(1);
  }

  @Test
  void aTopologyOfAnotherClusterIsNotTouched() {
    born();
    world.clusterId = "other";
    assertRefuses(next(), Reason.FOREIGN_TOPOLOGY);
  }

  @Test
  void membersJoinOneAtATimeThroughThreeEpochsEach() {
    born();
    world.replicas = 5;
    assertThat(until(Step.ScaleStatefulSet.class))
        .isEqualTo(new Step.ScaleStatefulSet(3, 5, false));
    assertThat(until(EpochChange.AnnounceJoining.class).member()).isEqualTo("kvorum-3");
    assertThat(until(EpochChange.BeginSettling.class).next().phase())
        .isEqualTo(TopologyPhase.SETTLING);
    until(EpochChange.MakeStable.class);
    assertThat(until(EpochChange.AnnounceJoining.class).member()).isEqualTo("kvorum-4");
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.topology.orElseThrow().epoch()).isEqualTo(7);
  }

  @Test
  void membersLeaveHighestFirstAndPodsGoAfterThem() {
    world.replicas = 5;
    world.run();
    world.replicas = 3;
    assertThat(until(EpochChange.AnnounceLeaving.class).member()).isEqualTo("kvorum-4");
    assertThat(world.setReplicas).hasValue(5);
    assertThat(until(Step.ScaleStatefulSet.class))
        .isEqualTo(new Step.ScaleStatefulSet(5, 4, false));
    assertThat(world.members()).hasSize(4);
    assertThat(until(EpochChange.AnnounceLeaving.class).member()).isEqualTo("kvorum-3");
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.setReplicas).hasValue(3);
  }

  @Test
  void podsStayUntilEveryMemberHasSeenTheStableTopology() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.apply(new Step.NextEpoch(until(EpochChange.MakeStable.class)));
    assertWaits(next(), Reason.EPOCH_NOT_SEEN);
    world.node(0).silent = true;
    world.settle();
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
    world.node(0).silent = false;
    assertThat(next()).isEqualTo(new Step.ScaleStatefulSet(4, 3, false));
  }

  @Test
  void eachNextEpochWaitsForEveryMember() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    assertWaits(next(), Reason.EPOCH_NOT_SEEN);
    world.nodes.values().forEach(node -> node.epochSeen = 2);
    assertWaits(next(), Reason.COPYING);
    world.nodes.values().forEach(node -> node.transferred = 2);
    world.node(1).rebuilding = true;
    assertWaits(next(), Reason.MEMBER_REBUILDING);
    world.node(1).rebuilding = false;
    assertThat(next()).isInstanceOf(Step.NextEpoch.class);
  }

  @Test
  void theNextChangeWaitsUntilAllIsCleared() {
    born();
    world.replicas = 4;
    world.node(1).cleared = 0;
    world.apply(until(Step.ScaleStatefulSet.class));
    world.control(3);
    world.progress(world.node(3));
    world.apply(until(Step.MarkVolume.class));
    world.node(1).cleared = 0;
    assertWaits(next(), Reason.CLEARING);
  }

  @Test
  void aJoinIsCalledOffWhenItIsNotWantedAnyMore() {
    born();
    world.replicas = 5;
    world.apply(new Step.NextEpoch(until(EpochChange.BeginSettling.class)));
    world.replicas = 3;
    assertThat(until(EpochChange.CallOff.class).next().members()).hasSize(3);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.setReplicas).hasValue(3);
  }

  @Test
  void aJoinThatCannotSucceedIsCalledOffWithoutItsMember() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    world.node(3).dead = true;
    world.settle();
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
    world.replicas = 3;
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.NextEpoch.class,
            it -> assertThat(it.change()).isInstanceOf(EpochChange.CallOff.class));
  }

  @Test
  void aLeaveIsCalledOffWhenTheMemberIsWantedAgain() {
    world.replicas = 5;
    world.run();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceLeaving.class)));
    world.replicas = 5;
    assertThat(until(EpochChange.CallOff.class).next().members()).hasSize(5);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void fewerMembersThanReplicationAreRefused() {
    born();
    world.replicas = 2;
    Plan plan = ClusterPlanner.plan(world.observe());
    assertThat(plan.step()).isInstanceOf(Step.Rest.class);
    assertThat(plan.refused())
        .extracting(it -> it.reason())
        .containsExactly(Reason.REPLICAS_BELOW_REPLICATION);
  }

  @Test
  void noChangeBeginsWhileAMemberIsDownOrRebuilding() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.node(1).dead = true;
    assertRefuses(next(), Reason.MEMBER_DOWN);
    world.node(1).dead = false;
    world.node(1).rebuilding = true;
    assertRefuses(next(), Reason.MEMBER_REBUILDING);
  }

  @Test
  void aStatefulSetScaledByHandIsPutBack() {
    born();
    world.setReplicas = OptionalInt.of(6);
    world.settle();
    assertThat(until(Step.ScaleStatefulSet.class)).isEqualTo(new Step.ScaleStatefulSet(6, 3, true));
    world.setReplicas = OptionalInt.of(1);
    world.settle();
    assertThat(next()).isEqualTo(new Step.ScaleStatefulSet(1, 3, true));
  }

  @Test
  void anUpdateRestartsTheHighestFirstAndWaitsForItsHintsAndItsPeers() {
    born();
    world.specHash = "b";
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet());
    world.apply(next());
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.RestartPod.class, it -> assertThat(it.pod()).isEqualTo("kvorum-2"));
    world.apply(next());
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.settle();
    world.node(2).hintsFor = 3;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).hintsFor = 0;
    world.node(2).unconnected = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).unconnected = false;
    world.node(2).rebuilding = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).rebuilding = false;
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.RestartPod.class, it -> assertThat(it.pod()).isEqualTo("kvorum-1"));
  }

  @Test
  void aBrokenRevisionStopsAtItsFirstPodAndIsRolledBack() {
    born();
    world.badHashes.add("bad");
    world.specHash = "bad";
    Step end = world.run();
    assertWaits(end, Reason.UPDATE_STALLED);
    assertThat(world.present().stream().filter(node -> node.hash.equals("bad"))).hasSize(1);
    world.specHash = "a";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("a") && node.ready);
  }

  @Test
  void aClusterBornBrokenIsMendedByItsSpec() {
    world.badHashes.add("a");
    world.run();
    world.nodes.values().forEach(node -> node.ready = false);
    world.specHash = "b";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("b") && node.ready);
  }

  @Test
  void aBrokenMemberIsMendedAmidAChange() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    world.badHashes.add("a");
    world.nodes.values().forEach(node -> node.ready = false);
    world.specHash = "b";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
  }

  @Test
  void volumesGrowBeforeAnyoneAsksWhetherMembersAreWell() {
    born();
    world.node(1).dead = true;
    world.sizeGib = 20;
    assertThat(next()).isEqualTo(new Step.ResizeVolume("data-kvorum-0", 20 * World.GIB));
    world.run();
    assertThat(world.present()).allMatch(node -> node.volumeGib == 20);
    assertThat(world.setGib).as("of members to come").isEqualTo(20);
    assertThat(world.present()).allMatch(node -> node.uid.matches("uid-[123]"));
  }

  @Test
  void aVolumeThatCannotGrowIsRefusedAndHoldsNothingElseUp() {
    born();
    world.growable = false;
    world.sizeGib = 20;
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    assertThat(ClusterPlanner.plan(world.observe()).refused())
        .extracting(it -> it.reason())
        .containsExactly(Reason.VOLUME_CANNOT_GROW);
  }

  @Test
  void aPodThatHasLostItsVolumeComesBackAndRebuilds() {
    born();
    World.Node node = world.node(1);
    world.end(node);
    node.volumeGib = 0;
    node.mark = Optional.empty();
    node.rebuilding = true;
    node.epochSeen = 0;
    assertWaits(next(), Reason.MEMBER_DOWN);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(node.mark).contains("id");
  }

  @Test
  void volumesGoWithTheClusterOnlyWhenAsked() {
    born();
    assertThat(world.present()).noneMatch(node -> node.owned);
    world.deletionPolicy = DeletionPolicy.DELETE;
    world.run();
    assertThat(world.present()).allMatch(node -> node.owned);
    assertThat(world.topologyOwned).isTrue();
    world.deletionPolicy = DeletionPolicy.RETAIN;
    world.run();
    assertThat(world.present()).noneMatch(node -> node.owned);
    assertThat(world.topologyOwned).isFalse();
  }

  @Test
  void nothingIsDoneWhilePaused() {
    born();
    world.paused = true;
    world.replicas = 5;
    world.specHash = "b";
    world.objectsMissing = true;
    assertWaits(next(), Reason.PAUSED);
  }

  @Test
  void aTopologyOlderThanItsNodesIsNamed() {
    born();
    world.replicas = 4;
    world.node(0).epochSeen = 9;
    world.apply(until(Step.ScaleStatefulSet.class));
    world.control(3);
    world.progress(world.node(3));
    world.apply(until(Step.MarkVolume.class));
    world.node(0).epochSeen = 9;
    assertWaits(next(), Reason.TOPOLOGY_BEHIND);
  }
}
