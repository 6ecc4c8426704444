package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How pods are updated and repaired, volumes grow, and foreign edits are reverted. */
class RolloutPlannerTest extends Planned {
  @Test
  void aStatefulSetScaledByHandIsPutBack() {
    born();
    world.setReplicas = OptionalInt.of(6);
    world.converge();
    assertThat(until(Step.ScaleStatefulSet.class)).isEqualTo(new Step.ScaleStatefulSet(6, 3, true));
    world.setReplicas = OptionalInt.of(1);
    world.converge();
    assertThat(next()).isEqualTo(new Step.ScaleStatefulSet(1, 3, true));
  }

  @Test
  void anUpdateRestartsTheHighestFirstAndWaitsForItsHintsAndItsPeers() {
    born();
    world.specHash = "b";
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet(false, true));
    world.apply(next());
    assertRestarts(next(), "kvorum-2");
    world.apply(next());
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.converge();
    world.node(2).hintsFor = 3;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).hintsFor = 0;
    world.node(2).unconnected = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).unconnected = false;
    world.node(2).rebuilding = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).rebuilding = false;
    assertRestarts(next(), "kvorum-1");
  }

  @Test
  void aMemberThatMostOthersCannotReachIsNoneThatStarts() {
    born();
    world.node(1).reachable = false;
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
  }

  @Test
  void aPodThatIsDownIsNotRestartedWhileTheLastOneIsBeingRestarted() {
    updateTheHighest();
    world.node(1).dead = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.converge();
    assertRestarts(next(), "kvorum-1");
  }

  @Test
  void aPodThatIsNotReadyIsNotRestartedWhileTheLastOneRebuilds() {
    updateTheHighest();
    world.converge();
    world.node(1).ready = false;
    world.node(2).rebuilding = true;
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).rebuilding = false;
    assertRestarts(next(), "kvorum-1");
  }

  private void updateTheHighest() {
    born();
    world.specHash = "b";
    world.apply(next());
    assertRestarts(next(), "kvorum-2");
    world.apply(next());
  }

  private static void assertRestarts(Step step, String pod) {
    assertThat(step)
        .isInstanceOfSatisfying(Step.RestartPod.class, it -> assertThat(it.pod()).isEqualTo(pod));
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
  void aClusterBornBrokenIsRepairedByItsSpec() {
    world.badHashes.add("a");
    world.run();
    world.nodes.values().forEach(node -> node.ready = false);
    world.specHash = "b";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("b") && node.ready);
  }

  @Test
  void aDefaultImageThatCannotRunIsRepairedUntilTheClusterIsFounded() {
    world.images.bad.add("kvorum:bad");
    world.image = "kvorum:bad";
    for (Step step = next(); !(step instanceof Step.BootstrapTopology); step = next()) {
      world.apply(step);
      world.converge();
    }
    world.image = "kvorum:good";
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet(false, true));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:good") && node.ready);
    List<String> pods = world.present().stream().map(node -> node.uid).toList();
    world.image = "kvorum:newer";
    assertThat(world.run()).as("a newer operator restarts nothing").isInstanceOf(Step.Rest.class);
    assertThat(world.present()).extracting(node -> node.uid).containsExactlyElementsOf(pods);
  }

  @Test
  void aBrokenMemberIsRepairedDuringAChange() {
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
  void aVolumeThatCannotGrowIsRejectedAndBlocksNothingElse() {
    born();
    world.growable = false;
    world.sizeGib = 20;
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    assertThat(ClusterPlanner.plan(world.observe()).rejected())
        .extracting(it -> it.reason())
        .containsExactly(Reason.VOLUME_CANNOT_GROW);
    world.sizeGib = 10;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(ClusterPlanner.plan(world.observe()).rejected()).isEmpty();
  }

  @Test
  void onlyVolumesThatAreBoundAreResized() {
    born();
    world.node(0).bound = false;
    world.sizeGib = 20;
    world.replicas = 4;
    assertThat(next()).isEqualTo(new Step.ResizeVolume("data-kvorum-1", 20 * World.GIB));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    world.node(0).bound = true;
    assertThat(next()).isEqualTo(new Step.ResizeVolume("data-kvorum-0", 20 * World.GIB));
  }

  @Test
  void aVolumeThatTheApiDoesNotRaiseIsNamedAndBlocksNothingElse() {
    born();
    world.node(0).rejected = Optional.of("exceeded quota");
    world.sizeGib = 20;
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    assertThat(world.node(1).volumeGib).isEqualTo(20);
    assertThat(ClusterPlanner.plan(world.observe()).rejected())
        .extracting(it -> it.reason())
        .containsExactly(Reason.VOLUME_CANNOT_GROW);
  }

  @Test
  void aPodThatHasLostItsVolumeComesBackAndRebuilds() {
    born();
    WorldNode node = world.node(1);
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
  void reportsWhyAMembersPodIsNotCreated() {
    born();
    world.end(world.node(1));
    world.podCreationFailure = Optional.of("exceeded quota");
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.Wait.class,
            it -> assertThat(it.message()).isEqualTo("kvorum-1 has no pod: exceeded quota"));
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
  void whatBelongsToTheClusterIsWrittenAlsoWhileItIsPausedOrRejected() {
    born();
    world.paused = true;
    world.deletionPolicy = DeletionPolicy.DELETE;
    assertThat(VolumePlanner.onDeletion(world.observe())).isEqualTo(DeletionPolicy.RETAIN);
    assertWaits(world.run(), Reason.PAUSED);
    assertThat(VolumePlanner.onDeletion(world.observe())).isEqualTo(DeletionPolicy.DELETE);
    assertThat(world.present()).allMatch(node -> node.owned);
    assertThat(world.topologyOwned).isTrue();
    world.paused = false;
    world.loseTopology(false);
    world.node(0).silent = true;
    world.deletionPolicy = DeletionPolicy.RETAIN;
    assertThat(VolumePlanner.onDeletion(world.observe())).isEqualTo(DeletionPolicy.DELETE);
    assertWaits(world.run(), Reason.TOPOLOGY_LOST);
    assertThat(VolumePlanner.onDeletion(world.observe())).isEqualTo(DeletionPolicy.RETAIN);
    assertThat(world.present()).noneMatch(node -> node.owned);
  }

  @Test
  void aTopologyThatMayBePrunedIsMarked() {
    born();
    world.topologyKept = false;
    assertThat(next()).isEqualTo(new Step.MarkTopology(true));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
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
}
