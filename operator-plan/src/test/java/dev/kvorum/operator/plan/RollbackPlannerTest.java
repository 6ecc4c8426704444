package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.RolloutFailure;
import dev.kvorum.operator.api.RolloutSpec;
import dev.kvorum.operator.view.StatefulSetView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How an update whose pods do not become ready is taken back. */
class RollbackPlannerTest extends Planned {
  private static final String FAILED = "kvorum-2: its container ended with exit code 1";

  /** The first pod of an update to {@code bad} fails. */
  private void stall() {
    born();
    world.badHashes.add("bad");
    world.specHash = "bad";
    assertStalls("; it is rolled back unless the pod gets ready within 10m");
    assertThat(world.node(2).hash).isEqualTo("bad");
  }

  private void assertStalls(String why) {
    Step end = world.run();
    assertWaits(end, Reason.UPDATE_STALLED);
    assertThat(((Step.Wait) end).message()).contains(why);
  }

  private void age(Duration by) {
    world.node(2).created = world.now.minus(by);
  }

  private List<Notice> rejected() {
    return ClusterPlanner.plan(world.observe()).rejected();
  }

  private void assertIsBack() {
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("a") && node.ready);
    assertThat(rejected()).extracting(Notice::reason).containsExactly(Reason.ROLLED_BACK);
    assertThat(rejected().getFirst().message()).contains(FAILED, "spec.restartedAt");
  }

  private void rollBack() {
    stall();
    age(Duration.ofMinutes(11));
    assertIsBack();
  }

  @Test
  void anUpdateIsRolledBackOnceItsPodHasExceededTheDeadline() {
    stall();
    age(Duration.ofMinutes(10));
    assertWaits(next(), Reason.UPDATE_STALLED);
    age(Duration.ofMinutes(10).plusSeconds(1));
    assertThat(next()).isEqualTo(new Step.RollBack("bad", FAILED, false));
    assertIsBack();
  }

  @Test
  void itIsTriedAgainOnlyAfterAnotherSpec() {
    rollBack();
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    assertThat(world.node(3).hash).isEqualTo("a");
    world.specHash = "a";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).isEmpty();
    world.specHash = "bad";
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet(false, true));
    world.specHash = "b";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("b"));
    assertThat(rejected()).isEmpty();
  }

  @Test
  void aPodThatIsOnlySlowCountsToo() {
    born();
    world.specHash = "b";
    world.apply(until(Step.RestartPod.class));
    world.converge();
    world.node(2).ready = false;
    assertWaits(next(), Reason.UPDATE_WAITS);
    age(Duration.ofMinutes(11));
    assertThat(next()).isEqualTo(new Step.RollBack("b", "kvorum-2 is not ready", false));
  }

  @Test
  void aPodThatWasReadyHasTheWholeTimeAgain() {
    born();
    world.specHash = "b";
    world.apply(until(Step.RestartPod.class));
    world.converge();
    age(Duration.ofHours(5));
    world.node(2).ready = false;
    world.node(2).unreadySince = Optional.of(world.now.minus(Duration.ofMinutes(9)));
    assertWaits(next(), Reason.UPDATE_WAITS);
    world.node(2).unreadySince = Optional.of(world.now.minus(Duration.ofMinutes(11)));
    assertThat(next()).isInstanceOf(Step.RollBack.class);
  }

  @Test
  void itIsNotRolledBackWhereThatIsNotWanted() {
    stall();
    age(Duration.ofMinutes(11));
    world.rollout.spec = new RolloutSpec(RolloutFailure.STOP, "10m");
    assertStalls("Change the spec or revert it to continue");
    world.rollout.deadline("1h");
    assertWaits(next(), Reason.UPDATE_STALLED);
  }

  @Test
  void anUpdateOfWhatSecuresConnectionsIsNotRolledBack() {
    stall();
    age(Duration.ofMinutes(11));
    world.rollout.securityDiffers = true;
    assertStalls("it is not rolled back: it changes how connections are secured");
  }

  @Test
  void itIsNotRolledBackWhereNoMemberShowsThatTheFormerTemplateWorks() {
    stall();
    age(Duration.ofMinutes(11));
    world.node(0).silent = true;
    world.node(1).silent = true;
    assertStalls("no member runs with the template from before");
    world.node(1).silent = false;
    assertIsBackWithOneSilent();
  }

  private void assertIsBackWithOneSilent() {
    assertThat(next()).isInstanceOf(Step.RollBack.class);
    world.apply(next());
    world.node(0).silent = false;
    assertIsBack();
  }

  @Test
  void itIsNotRolledBackToWhatLacksAnActiveFeature() {
    stall();
    age(Duration.ofMinutes(11));
    world.statusFeatures = List.of("content-type");
    assertStalls("no member runs with the template from before");
  }

  @Test
  void whereNoTemplateIsKnownItStops() {
    stall();
    age(Duration.ofMinutes(11));
    world.rollout.fallback = Optional.empty();
    assertStalls("it is not rolled back: no earlier template is known");
  }

  @Test
  void theFallbackStaysWhileUpdatesReplaceEachOther() {
    stall();
    world.badHashes.add("worse");
    world.specHash = "worse";
    assertThat(next()).isEqualTo(new Step.UpdateStatefulSet(false, false));
    world.apply(next());
    world.run();
    age(Duration.ofMinutes(11));
    assertThat(next()).isEqualTo(new Step.RollBack("worse", FAILED, false));
    assertIsBack();
  }

  @Test
  void allUpdatedPodsGoBackOneAtATime() {
    born();
    world.badHashes.add("bad");
    world.specHash = "bad";
    world.apply(until(Step.RestartPod.class));
    world.badHashes.clear();
    world.converge();
    world.apply(next());
    world.converge();
    world.node(1).dead = true;
    world.node(1).created = world.now.minus(Duration.ofMinutes(11));
    assertThat(next()).isInstanceOf(Step.RollBack.class);
    world.apply(next());
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.RestartPod.class, it -> assertThat(it.pod()).isEqualTo("kvorum-1"));
    world.apply(next());
    world.node(1).dead = false;
    assertWaits(next(), Reason.UPDATE_WAITS);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.present()).allMatch(node -> node.hash.equals("a") && node.ready);
  }

  @Test
  void aTemplateThatIsChangedByHandGetsTheFallbackAgain() {
    rollBack();
    world.rollout.template = StatefulSetView.Template.CHANGED;
    assertThat(next()).isEqualTo(new Step.RollBack("bad", FAILED, true));
    assertIsBack();
  }

  @Test
  void theStatefulSetIsNotRecreatedWhileItKnowsTheWayBack() {
    stall();
    world.sizeGib = 20;
    assertStalls("; it is rolled back");
    age(Duration.ofMinutes(11));
    assertIsBack();
    assertThat(world.setGib).isEqualTo(10);
    assertThat(world.present()).allMatch(node -> node.volumeGib == 20);
    world.specHash = "b";
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.setGib).isEqualTo(20);
  }

  @Test
  void theImageOfAFailedUpdateIsNotAskedAgain() {
    born();
    world.images.bad.add("kvorum:bad");
    world.image = "kvorum:bad";
    world.specHash = "bad";
    assertWaits(world.run(), Reason.UPDATE_STALLED);
    age(Duration.ofMinutes(11));
    assertIsBack();
    assertThat(world.present()).allMatch(node -> node.image.equals("kvorum:1"));
  }

  @Test
  void aPausedClusterIsNotRolledBack() {
    stall();
    age(Duration.ofMinutes(11));
    world.paused = true;
    assertWaits(next(), Reason.PAUSED);
  }
}
