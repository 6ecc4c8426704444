package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.Release;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When features become active, and that they stay so. */
class FeaturePlannerTest extends Planned {
  private static final String NEW = "content-type";

  @BeforeEach
  void releases() {
    release("kvorum:1");
    release("kvorum:2", NEW);
    release("kvorum:3", NEW, "apart");
  }

  private void release(String image, String... features) {
    world.images.answers.put(
        image, new ImageCheck.Done(new Release(image, "3..4", Set.of(features))));
  }

  private void wants(String image) {
    world.image = image;
    world.specHash = image;
  }

  private List<String> listed() {
    return world.topology.orElseThrow().features();
  }

  private void isAtRest() {
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  private void bornWithFeature() {
    wants("kvorum:2");
    born();
    assertThat(listed()).containsExactly(NEW);
  }

  @Test
  void aFeatureIsActivatedOnceTheUpdateHasEnded() {
    born();
    assertThat(listed()).isEmpty();
    wants("kvorum:2");
    EpochChange.ActivateFeatures change = until(EpochChange.ActivateFeatures.class);
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:2"));
    assertThat(change.features()).containsExactly(NEW);
    assertThat(change.next()).isEqualTo(world.topology.orElseThrow().activating(Set.of(NEW)));
    assertThat(change.next().epoch()).isEqualTo(world.topology.orElseThrow().epoch() + 1);
    assertThat(FeaturePlanner.inactive(world.observe())).containsExactly(NEW);
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
    assertThat(FeaturePlanner.active(world.observe())).containsExactly(NEW);
    assertThat(FeaturePlanner.inactive(world.observe())).isEmpty();
  }

  @Test
  void allThatAreDueAreActivatedInOneChange() {
    born();
    wants("kvorum:3");
    EpochChange.ActivateFeatures change = until(EpochChange.ActivateFeatures.class);
    assertThat(change.next().features()).containsExactly("apart", NEW);
  }

  @Test
  void nothingIsActivatedWhileAMemberLacksItOrIsNotWell() {
    world.activation = FeatureActivation.HELD;
    wants("kvorum:2");
    born();
    world.activation = FeatureActivation.AUTOMATIC;
    assertThat(next()).isInstanceOf(Step.NextEpoch.class);
    world.node(1).silent = true;
    assertWaits(next(), Reason.MEMBER_UNREACHABLE);
    world.node(1).silent = false;
    world.node(1).rebuilding = true;
    assertWaits(next(), Reason.MEMBER_REBUILDING);
    world.node(1).rebuilding = false;
    world.node(1).epochSeen--;
    assertWaits(next(), Reason.EPOCH_NOT_SEEN);
    world.node(1).epochSeen++;
    world.node(1).image = "kvorum:1";
    assertThat(next()).isInstanceOf(Step.Rest.class);
    assertThat(FeaturePlanner.inactive(world.observe())).containsExactly(NEW);
  }

  @Test
  void nothingIsActivatedWhileAnotherReleaseIsAboutToBeRolledOut() {
    world.activation = FeatureActivation.HELD;
    wants("kvorum:2");
    born();
    wants("kvorum:1");
    world.images.answers.put("kvorum:1", new ImageCheck.Running());
    world.apply(next());
    world.activation = FeatureActivation.AUTOMATIC;
    assertWaits(world.run(), Reason.CHECKING_IMAGE);
    world.images.answers.put("kvorum:1", new ImageCheck.Failed("it cannot be pulled"));
    isAtRest();
    assertThat(listed()).isEmpty();
    release("kvorum:1");
    isAtRest();
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:1"));
    assertThat(listed()).isEmpty();
  }

  @Test
  void scalingComesFirst() {
    world.activation = FeatureActivation.HELD;
    wants("kvorum:2");
    born();
    world.activation = FeatureActivation.AUTOMATIC;
    world.replicas = 4;
    until(EpochChange.MakeStable.class);
    assertThat(listed()).isEmpty();
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
    assertThat(world.members()).hasSize(4);
  }

  @Test
  void heldFeaturesWaitAndActiveOnesStay() {
    world.activation = FeatureActivation.HELD;
    wants("kvorum:2");
    born();
    assertThat(listed()).isEmpty();
    assertThat(FeaturePlanner.inactive(world.observe())).containsExactly(NEW);
    world.activation = FeatureActivation.AUTOMATIC;
    isAtRest();
    world.activation = FeatureActivation.HELD;
    wants("kvorum:3");
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
    assertThat(FeaturePlanner.inactive(world.observe())).containsExactly("apart");
  }

  @Test
  void nothingIsActivatedWhereAnOlderDefinitionOfTheTopologyWouldDropIt() {
    world.activation = FeatureActivation.HELD;
    wants("kvorum:2");
    born();
    KvorumTopologySpec kept = world.topology.orElseThrow();
    world.topology =
        Optional.of(
            new KvorumTopologySpec(
                kept.clusterId(), kept.epoch(), kept.phase(), kept.members(), null));
    world.activation = FeatureActivation.AUTOMATIC;
    isAtRest();
    assertThat(world.topology.orElseThrow().epoch()).isEqualTo(kept.epoch());
    assertThat(FeaturePlanner.inactive(world.observe())).containsExactly(NEW);
    world.topology = Optional.of(kept);
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
  }

  @Test
  void everyOtherChangeKeepsWhatIsActive() {
    bornWithFeature();
    world.replicas = 5;
    keeps(EpochChange.AnnounceJoining.class);
    keeps(EpochChange.BeginSettling.class);
    keeps(EpochChange.MakeStable.class);
    keeps(EpochChange.AnnounceJoining.class);
    world.replicas = 4;
    keeps(EpochChange.Cancel.class);
    isAtRest();
    world.node(1).place = new Place("elsewhere", "zone-2");
    keeps(EpochChange.AnnounceMoving.class);
    isAtRest();
    world.node(2).dead = true;
    world.task = Optional.of(WorldTasks.task(TaskAction.REMOVE, 2));
    keeps(EpochChange.AnnounceRemoving.class);
    world.node(2).dead = false;
    isAtRest();
    world.replicas = 3;
    keeps(EpochChange.AnnounceLeaving.class);
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
  }

  private <T extends EpochChange> void keeps(Class<T> kind) {
    T change = until(kind);
    assertThat(change.next().features()).as(kind.getSimpleName()).containsExactly(NEW);
    world.apply(new Step.NextEpoch(change));
  }

  @Test
  void whatIsActiveIsListedAgainAlsoWhileOthersAreHeld() {
    bornWithFeature();
    world.activation = FeatureActivation.HELD;
    KvorumTopologySpec now = world.topology.orElseThrow();
    world.topology =
        Optional.of(
            new KvorumTopologySpec(
                now.clusterId(), now.epoch(), TopologyPhase.STABLE, now.members(), List.of()));
    wants("kvorum:3");
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
  }

  @Test
  void aLostTopologyGetsItsFeaturesBack() {
    bornWithFeature();
    world.nodes.values().forEach(node -> node.savedTopology = Optional.empty());
    world.loseTopology(false);
    isAtRest();
    assertThat(listed()).containsExactly(NEW);
  }

  @Test
  void anImageWithoutAnActiveFeatureIsRejectedBeforeAnyPodGetsIt() {
    bornWithFeature();
    world.node(1).dead = true;
    wants("kvorum:1");
    world.run();
    assertThat(ClusterPlanner.plan(world.observe()).rejected())
        .containsExactly(
            new Notice(
                Reason.FEATURE_MISSING,
                "the update and all other changes of the pods are not begun: image kvorum:1 lacks what"
                    + " is active (content-type). Use a release that has it"));
    assertThat(world.setImage).isEqualTo("kvorum:2");
    wants("kvorum:3");
    world.node(1).dead = false;
    isAtRest();
    assertThat(listed()).containsExactly("apart", NEW);
  }

  @Test
  void aFeatureThatOnlyAMemberReportsIsActiveForImagesToo() {
    born();
    world.node(1).active.add(NEW);
    wants("kvorum:1a");
    release("kvorum:1a");
    world.node(1).image = "kvorum:2";
    world.run();
    assertThat(ClusterPlanner.plan(world.observe()).rejected())
        .extracting(Notice::reason)
        .containsExactly(Reason.FEATURE_MISSING);
  }

  @Test
  void anImageThatCouldNotBeAskedIsNotTakenForOneWithoutFeatures() {
    bornWithFeature();
    wants("kvorum:4");
    world.images.answers.put("kvorum:4", new ImageCheck.Done(Release.UNKNOWN));
    assertThat(until(Step.UpdateStatefulSet.class)).isNotNull();
  }
}
