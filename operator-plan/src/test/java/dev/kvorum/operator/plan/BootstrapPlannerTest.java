package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.NodeReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How a cluster is born, and with what it is not. */
class BootstrapPlannerTest extends Planned {
  @Test
  void aClusterIsBornStepByStep() {
    List<String> steps = new ArrayList<>();
    for (Step step = next(); !(step instanceof Step.Rest); step = next()) {
      steps.add(step.getClass().getSimpleName());
      world.apply(step);
      world.converge();
    }
    assertThat(steps)
        .containsExactly(
            "Identify",
            "PutObject",
            "CreateStatefulSet",
            "MarkVolume",
            "MarkVolume",
            "MarkVolume",
            "BootstrapTopology",
            "MarkTopology",
            "SaveTopology",
            "SaveTopology",
            "SaveTopology");
    assertThat(world.topology.orElseThrow().epoch()).isEqualTo(1);
    assertThat(world.members())
        .extracting(TopologyMember::zone)
        .containsExactly("zone-0", "zone-1", "zone-2");
  }

  @Test
  void nothingIsMadeForAClusterThatCannotBe() {
    world.invalid = List.of(new Notice(Reason.INVALID_NAME, "no Service can be called 'a.b'"));
    assertRejects(world.run(), Reason.INVALID_NAME);
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
    world.loseTopology(true);
    world.clusterId = "id";
    world.nodes.values().forEach(node -> node.savedTopology = Optional.empty());
    world.apply(next());
    world.converge();
    world.node(2).started = false;
    assertWaits(next(), Reason.PODS_PENDING);
  }

  @Test
  void aClusterIsNeverFoundedASecondTime() {
    born();
    world.topology = Optional.empty();
    world.nodes.values().forEach(node -> node.mark = Optional.empty());
    assertRejects(next(), Reason.TOPOLOGY_LOST);
  }

  @Test
  void volumesThatCarryNoTopologyAreNotTakenOver() {
    born();
    world.loseTopology(true);
    world.nodes.values().forEach(node -> node.savedTopology = Optional.empty());
    assertRejects(next(), Reason.VOLUMES_WITHOUT_TOPOLOGY);
  }

  @Test
  void aLostTopologyIsRestoredOnceAllNodesHaveReportedTheirCopies() {
    world.replicas = 5;
    world.run();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.BeginSettling.class)));
    KvorumTopologySpec lost = world.topology.orElseThrow();
    world.see(world.node(4));
    world.node(4).silent = true;
    world.loseTopology(false);
    assertWaits(next(), Reason.TOPOLOGY_LOST);
    assertThat(((Step.Wait) next()).message()).contains("waits for kvorum-4", "data-kvorum-4");
    world.end(world.node(4));
    world.podCreationFailure = Optional.of("exceeded quota");
    assertThat(((Step.Wait) next()).message()).contains("waits for kvorum-4: exceeded quota");
    world.podCreationFailure = Optional.empty();
    world.node(4).silent = false;
    world.converge();
    assertThat(next())
        .as("only this node has it")
        .isEqualTo(new Step.RestoreTopology(lost, true, Optional.empty()));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
  }

  @Test
  void aClusterWhoseObjectsAreAllLostIsRestoredFromItsVolumes() {
    world.replicas = 5;
    world.run();
    world.replicas = 3;
    world.run();
    long epoch = world.topology.orElseThrow().epoch();
    world.loseTopology(true);
    assertThat(next()).isEqualTo(new Step.Identify("id"));
    assertThat(until(Step.CreateStatefulSet.class).replicas())
        .as("the volumes of members that have left are asked too")
        .isEqualTo(5);
    assertThat(until(Step.RestoreTopology.class).topology().epoch()).isEqualTo(epoch);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(3);
    assertThat(world.setReplicas).hasValue(3);
  }

  @Test
  void anEpochThatOnlyAMemberThatHasLeftHasSeenIsNotTakenBack() {
    world.replicas = 4;
    world.run();
    world.replicas = 3;
    world.apply(new Step.NextEpoch(until(EpochChange.MakeStable.class)));
    KvorumTopologySpec without = world.topology.orElseThrow();
    world.see(world.node(3));
    world.loseTopology(false);
    assertRejects(next(), Reason.TOPOLOGY_LOST);
    world.topology = Optional.of(without);
    world.see(world.node(0));
    world.loseTopology(false);
    assertThat(next()).isEqualTo(new Step.RestoreTopology(without, true, Optional.empty()));
  }

  @Test
  void differentCopiesOfOneEpochAreNotRestored() {
    born();
    world.node(1).reported =
        Optional.of(new NodeReport.Reported(TopologyPhase.SETTLING, world.members()));
    world.loseTopology(false);
    assertRejects(next(), Reason.TOPOLOGY_LOST);
  }

  @Test
  void anAttemptOfWhichNoNodeWasStartedMayBeRepeated() {
    for (Step step = next(); !(step instanceof Step.Wait); step = next()) {
      world.apply(step);
      for (int ordinal = 0; ordinal < 3; ordinal++) {
        world.control(ordinal);
      }
    }
    assertThat(world.present()).hasSize(3).allMatch(node -> node.mark.isEmpty());
    world.clusterId = "";
    world.setReplicas = OptionalInt.empty();
    world.nodes.values().forEach(world::end);
    born();
    assertThat(world.present()).allMatch(node -> node.mark.isPresent());
  }

  @Test
  void aVolumeOnWhichANodeWasStartedIsNotTakenForAnotherCluster() {
    for (Step step = next(); !(step instanceof Step.Wait); step = next()) {
      world.apply(step);
      world.control(0);
      world.control(1);
      world.progress(world.node(1));
    }
    assertThat(world.node(0).mark).isEmpty();
    assertThat(world.node(1).mark).isPresent();
    world.clusterId = "";
    world.setReplicas = OptionalInt.empty();
    world.nodes.values().forEach(world::end);
    assertRejects(world.run(), Reason.VOLUMES_WITHOUT_TOPOLOGY);
  }

  @Test
  void aClusterCreatedAgainContinuesWithTheTopologyThatWasKept() {
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
  void aClusterCreatedAgainWithAnotherReplicationIsRejected() {
    born();
    world.clusterId = "";
    world.statusEpoch = 0;
    world.setReplicas = OptionalInt.empty();
    world.nodes.values().forEach(world::end);
    world.replication = 2;
    assertRejects(world.run(), Reason.REPLICATION_CHANGED);
    assertThat(world.setReplicas).isEmpty();
    world.replication = 3;
    born();
  }

  @Test
  void aTopologyThatDoesNotSayItsReplicationIsGivenIt() {
    born();
    world.topologyReplication = OptionalInt.empty();
    assertThat(next()).isEqualTo(new Step.MarkTopology(true));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void aTopologyIsMarkedOnceAMemberHasAllItsRecords() {
    born();
    assertThat(world.topologyFounded).isTrue();
    world.topologyFounded = false;
    world.present().forEach(node -> node.rebuilding = true);
    assertThat(next()).as("nobody has data").isNotInstanceOf(Step.MarkTopology.class);
    world.present().getFirst().rebuilding = false;
    assertThat(next()).isEqualTo(new Step.MarkTopology(true));
  }

  @Test
  void aTopologyOfAnotherClusterIsNotTouched() {
    born();
    world.clusterId = "other";
    assertRejects(next(), Reason.FOREIGN_TOPOLOGY);
  }
}
