package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Release;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a new image is asked for its release before any pod gets it. */
class ImagePlannerTest extends Planned {
  private static final ImageCheck NEXT =
      new ImageCheck.Done(new Release("2.0.0", "4..5", Set.of()));
  private static final ImageCheck AFTER_NEXT =
      new ImageCheck.Done(new Release("3.0.0", "5..6", Set.of()));

  private void wants(String image, ImageCheck answer) {
    world.image = image;
    world.specHash = image;
    world.images.answers.put(image, answer);
  }

  private List<Notice> rejected() {
    return ClusterPlanner.plan(world.observe()).rejected();
  }

  private List<String> pods() {
    return world.present().stream().map(node -> node.uid).toList();
  }

  @Test
  void anImageIsAskedBeforeTheTemplateHasIt() {
    born();
    wants("kvorum:2", NEXT);
    assertThat(next()).isEqualTo(new Step.CheckImage("kvorum:2"));
    world.apply(next());
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet(false, true));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:2"));
  }

  @Test
  void everythingElseContinuesWhileItIsAsked() {
    born();
    wants("kvorum:2", new ImageCheck.Running());
    world.replicas = 4;
    assertWaits(world.run(), Reason.CHECKING_IMAGE);
    assertThat(world.members()).hasSize(4);
    assertThat(rejected()).isEmpty();
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:1"));
  }

  @Test
  void anImageTwoReleasesAheadIsRejectedAndTheOneInBetweenIsNot() {
    born();
    List<String> before = pods();
    wants("kvorum:3", AFTER_NEXT);
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected())
        .containsExactly(
            new Notice(
                Reason.UPGRADE_TOO_FAR,
                "the update and all other changes of the pods are not begun: image kvorum:3 has 3.0.0"
                    + " with protocol 5..6, and kvorum-0 runs 1.0.0 with protocol 3..4. Go through"
                    + " a release in between"));
    assertThat(pods()).as("pods that were there").containsAll(before);
    assertThat(world.members()).as("scaling goes on").hasSize(4);

    wants("kvorum:2", NEXT);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    wants("kvorum:3", AFTER_NEXT);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).isEmpty();
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:3"));
  }

  @Test
  void aMemberThatIsDownCountsWithTheReleaseThatItLastRan() {
    born();
    world.node(1).dead = true;
    wants("kvorum:3", AFTER_NEXT);
    world.run();
    assertThat(rejected()).extracting(Notice::reason).containsExactly(Reason.UPGRADE_TOO_FAR);
    assertThat(world.setImage).isEqualTo("kvorum:1");
  }

  @Test
  void anImageThatCannotRunTakesNoMember() {
    born();
    List<String> before = pods();
    wants("kvorum:none", new ImageCheck.Failed("the image kvorum:none cannot be pulled"));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).extracting(Notice::reason).containsExactly(Reason.IMAGE_UNUSABLE);
    world.sizeGib = 20;
    world.run();
    assertThat(world.setImage).as("also when the set is made again").isEqualTo("kvorum:1");
    world.image = "kvorum:1";
    world.specHash = "a";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).isEmpty();
    assertThat(pods()).isEqualTo(before);
  }

  @Test
  void theWayBackIsOpenHalfwayThroughAnUpdate() {
    born();
    wants("kvorum:2", NEXT);
    assertThat(until(Step.RestartPod.class).pod()).isEqualTo("kvorum-2");
    world.apply(next());
    world.converge();
    wants("kvorum:1", new ImageCheck.Failed("the image kvorum:1 cannot be pulled"));
    assertThat(next()).as("without a question").isEqualTo(new Step.UpdateStatefulSet(false, false));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:1"));
  }

  @Test
  void theWayBackFromAReleaseThatIsTooFarIsOpen() {
    born();
    wants("kvorum:3", new ImageCheck.Done(Release.UNKNOWN));
    until(Step.RestartPod.class);
    world.apply(next());
    world.converge();
    world.images.answers.put("kvorum:3", AFTER_NEXT);
    world.node(2).ready = false;
    world.observe();
    wants("kvorum:1", new ImageCheck.Done(new Release("1.0.0", "3..4", Set.of())));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).isEmpty();
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:1"));
  }

  @Test
  void noFurtherMemberIsTakenWhileAnotherImageIsAsked() {
    born();
    wants("kvorum:2", NEXT);
    until(Step.RestartPod.class);
    world.apply(next());
    world.converge();
    wants("kvorum:3", new ImageCheck.Running());
    assertWaits(world.run(), Reason.CHECKING_IMAGE);
    assertThat(world.present().stream().filter(node -> node.image.equals("kvorum:2"))).hasSize(1);
  }

  @Test
  void theImageOfASpecThatIsRejectedHoldsNoUpdateUp() {
    born();
    world.specHash = "b";
    until(Step.RestartPod.class);
    world.apply(next());
    world.converge();
    wants("kvorum:2", NEXT);
    Notice why = new Notice(Reason.INVALID_QUANTITY, "a mistyped quantity");
    world.invalid = List.of(why);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).containsExactly(why);
    assertThat(world.present()).allMatch(node -> node.hash.equals("b"));
  }

  @Test
  void anImageThatCouldNotBeAskedIsRolledOut() {
    born();
    wants("kvorum:2", new ImageCheck.Done(Release.UNKNOWN));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:2"));
  }
}
