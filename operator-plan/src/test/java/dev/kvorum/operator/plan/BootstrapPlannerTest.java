package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
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
            "MarkTopology");
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
    assertRefuses(world.run(), Reason.VOLUMES_WITHOUT_TOPOLOGY);
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
    assertRefuses(next(), Reason.FOREIGN_TOPOLOGY);
  }
}
