package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How a cluster is born and how its members come and go. */
class MembersPlanTest extends Planned {
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
  void nothingIsMadeForAClusterThatCannotBe() {
    world.invalid = List.of(new Notice(Reason.INVALID_NAME, "no Service can be called 'a.b'"));
    assertRefuses(world.run(), Reason.INVALID_NAME);
    assertThat(world.objectsMissing).isTrue();
    world.invalid = List.of();
    born();
  }

  @Test
  void aRunningClusterWhoseSpecIsInvalidIsLookedAfter() {
    born();
    world.invalid = List.of(new Notice(Reason.MEMORY_TOO_SMALL, "too little"));
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
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
  void aClusterCreatedAgainWithAnotherReplicationIsRefused() {
    born();
    world.clusterId = "";
    world.statusEpoch = 0;
    world.setReplicas = OptionalInt.empty();
    world.nodes.values().forEach(world::end);
    world.replication = 2;
    assertRefuses(world.run(), Reason.REPLICATION_CHANGED);
    assertThat(world.setReplicas).isEmpty();
    world.replication = 3;
    born();
  }

  @Test
  void aTopologyThatDoesNotSayItsReplicationIsGivenIt() {
    born();
    world.topologyReplication = OptionalInt.empty();
    assertThat(next()).isEqualTo(new Step.MarkTopology());
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
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

  @Test
  void aMemberDoesNotLeaveWhereTheOthersHaveNoRoomForItsShare() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      world.node(ordinal).data = OptionalLong.of(60 * World.GIB);
      world.node(ordinal).diskFree = OptionalLong.of(40 * World.GIB);
    }
    world.node(1).diskFree = OptionalLong.of(25 * World.GIB);
    assertRefuses(next(), Reason.DISK_TOO_SMALL);
    world.node(1).diskFree = OptionalLong.of(40 * World.GIB);
    assertThat(until(EpochChange.AnnounceLeaving.class).member()).isEqualTo("kvorum-3");
  }

  @Test
  void aPodThatCannotEndIsNamed() {
    born();
    world.node(1).stuck = true;
    assertWaits(next(), Reason.POD_STUCK_TERMINATING);
    world.replicas = 4;
    world.run();
    assertRefuses(next(), Reason.POD_STUCK_TERMINATING);
  }
}
