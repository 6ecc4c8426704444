package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How members come and go. */
class ScalePlannerTest extends Planned {
  @Test
  void membersJoinOneAtATimeThroughThreeEpochsEach() {
    born();
    world.replicas = 5;
    assertThat(until(Step.ScaleStatefulSet.class))
        .isEqualTo(new Step.ScaleStatefulSet(3, 4, false));
    assertThat(until(EpochChange.AnnounceJoining.class).member()).isEqualTo("kvorum-3");
    assertThat(until(EpochChange.BeginSettling.class).next().phase())
        .isEqualTo(TopologyPhase.SETTLING);
    until(EpochChange.MakeStable.class);
    assertThat(until(Step.ScaleStatefulSet.class))
        .as("the next pod, which would wait, is created when it may join")
        .isEqualTo(new Step.ScaleStatefulSet(4, 5, false));
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
  void aMemberLeavesOnlyWhenNoHintsWaitAndAllAreConnected() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.node(1).hintsFor = 2;
    assertWaits(next(), Reason.HINTS_WAITING);
    world.node(1).hintsFor = 0;
    world.node(1).unconnected = true;
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
    world.node(1).unconnected = false;
    assertThat(until(EpochChange.AnnounceLeaving.class).member()).isEqualTo("kvorum-3");
  }

  @Test
  void podsStayUntilEveryMemberHasSeenTheStableTopology() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.apply(new Step.NextEpoch(until(EpochChange.MakeStable.class)));
    while (next() instanceof Step.SaveTopology save) {
      world.apply(save);
    }
    assertWaits(next(), Reason.EPOCH_NOT_SEEN);
    world.node(0).silent = true;
    world.converge();
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
    world.nodes.values().forEach(world::see);
    assertWaits(next(), Reason.COPYING);
    world.nodes.values().forEach(node -> node.transferred = 2);
    world.node(1).rebuilding = true;
    assertWaits(next(), Reason.MEMBER_REBUILDING);
    world.node(1).rebuilding = false;
    assertThat(next()).isInstanceOf(Step.NextEpoch.class);
  }

  @Test
  void reportsTheProgressOfACopyRoughly() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    assertWaits(next(), Reason.EPOCH_NOT_SEEN);
    world.nodes.values().forEach(world::see);
    List<String> said = new ArrayList<>();
    for (long bytes :
        List.of(5L, 1L << 20, 77L << 20, 1023L << 20, 1234L << 20, 5L << 30, 123L << 30)) {
      world.node(0).copied = bytes;
      said.add(((Step.Wait) next()).message().replace("kvorum-0 has copied 2 of 4 sources, ", ""));
    }
    assertThat(said)
        .containsExactly(
            "less than 1 MiB", "1 MiB", "70 MiB", "1000 MiB", "1 GiB", "5 GiB", "100 GiB");
  }

  @Test
  void theNextChangeWaitsUntilAllIsCleared() {
    born();
    world.replicas = 4;
    world.node(1).cleanedUp = 0;
    world.apply(until(Step.ScaleStatefulSet.class));
    world.control(3);
    world.progress(world.node(3));
    world.apply(until(Step.MarkVolume.class));
    world.node(1).cleanedUp = 0;
    assertWaits(next(), Reason.CLEANUP);
  }

  @Test
  void aJoinIsCancelledWhenItIsNotWantedAnyMore() {
    born();
    world.replicas = 5;
    world.apply(new Step.NextEpoch(until(EpochChange.BeginSettling.class)));
    world.replicas = 3;
    assertThat(until(EpochChange.Cancel.class).next().members()).hasSize(3);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.setReplicas).hasValue(3);
  }

  @Test
  void aJoinThatCannotSucceedIsCancelledWithoutItsMember() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    world.node(3).dead = true;
    world.converge();
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
    world.replicas = 3;
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.NextEpoch.class,
            it -> assertThat(it.change()).isInstanceOf(EpochChange.Cancel.class));
  }

  @Test
  void aLeaveIsCancelledWhenTheMemberIsWantedAgain() {
    world.replicas = 5;
    world.run();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceLeaving.class)));
    world.replicas = 5;
    assertThat(until(EpochChange.Cancel.class).next().members()).hasSize(5);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void fewerMembersThanReplicationAreRejected() {
    born();
    world.replicas = 2;
    Plan plan = ClusterPlanner.plan(world.observe());
    assertThat(plan.step()).isInstanceOf(Step.Rest.class);
    assertThat(plan.rejected())
        .extracting(it -> it.reason())
        .containsExactly(Reason.REPLICAS_BELOW_REPLICATION);
  }

  @Test
  void noChangeBeginsWhileAMemberIsDownOrRebuilding() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.node(1).dead = true;
    assertRejects(next(), Reason.MEMBER_DOWN);
    world.node(1).dead = false;
    world.node(1).rebuilding = true;
    assertRejects(next(), Reason.MEMBER_REBUILDING);
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
  void noChangeIsCancelledInATopologyOlderThanItsNodes() {
    born();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    world.converge();
    KvorumTopologySpec old = world.topology.orElseThrow();
    world.apply(new Step.NextEpoch(until(EpochChange.BeginSettling.class)));
    world.converge();
    world.topology = Optional.of(old);
    world.replicas = 3;
    assertRejects(next(), Reason.TOPOLOGY_BEHIND);
    world.node(0).epochSeen = old.epoch();
    world.node(1).epochSeen = old.epoch();
    world.node(2).epochSeen = old.epoch();
    world.node(3).epochSeen = old.epoch();
    assertRejects(next(), Reason.TOPOLOGY_BEHIND);
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
    assertRejects(next(), Reason.DISK_TOO_SMALL);
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
    assertRejects(next(), Reason.POD_STUCK_TERMINATING);
  }
}
