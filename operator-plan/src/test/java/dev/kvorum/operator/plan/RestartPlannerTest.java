package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestartPlannerTest {
  private final World world = new World();

  @BeforeEach
  void threeMembers() {
    world.replicas = 3;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  private void asks(int ordinal) {
    asks(TaskAction.RESTART, ordinal);
  }

  private void asks(TaskAction action, int ordinal) {
    world.task = Optional.of(WorldTasks.task(action, ordinal));
  }

  private Step step() {
    return ClusterPlanner.plan(world.observe()).step();
  }

  private void assertEnds(boolean complete, Reason reason) {
    Step.EndTask end = world.ended.orElseThrow();
    assertThat(end.complete()).isEqualTo(complete);
    assertThat(end.why().reason()).isEqualTo(reason);
  }

  @Test
  void aMemberIsRestartedOnce() {
    asks(1);
    String before = world.node(1).uid;
    assertThat(step()).isInstanceOf(Step.StartTask.class);
    world.run();
    assertEnds(true, Reason.RESTARTED);
    assertThat(world.node(1).uid).isNotEqualTo(before);
    assertThat(world.node(1).ready).isTrue();
  }

  @Test
  void theOthersHaveToBeWell() {
    asks(1);
    world.node(2).rebuilding = true;
    assertThat(RestartPlanner.obstacle(world.observe()).map(Notice::reason))
        .contains(Reason.MEMBER_REBUILDING);
    assertThat(step()).isNotInstanceOf(Step.StartTask.class);
    world.node(2).rebuilding = false;
    world.node(2).hintsFor = 3;
    assertThat(RestartPlanner.obstacle(world.observe()).map(Notice::reason))
        .contains(Reason.HINTS_WAITING);
  }

  @Test
  void aMemberThatIsIllIsRestarted() {
    world.node(1).ready = false;
    asks(1);
    world.apply(step());
    assertThat(step())
        .isInstanceOfSatisfying(
            Step.RestartPod.class, restart -> assertThat(restart.evict()).isFalse());
  }

  @Test
  void nothingElseIsRestarted() {
    asks(7);
    world.run();
    assertEnds(false, Reason.NOT_A_MEMBER);
  }

  @Test
  void aTaskForAFormerClusterOfThatNameFails() {
    world.task = Optional.of(WorldTasks.outdated(WorldTasks.task(TaskAction.RESTART, 1)));
    world.run();
    assertEnds(false, Reason.TASK_OUTDATED);
  }

  @Test
  void aVolumeIsReplacedAndFilled() {
    asks(TaskAction.REPLACE, 1);
    String before = world.node(1).volumeUid;
    world.run();
    assertEnds(true, Reason.REPLACED);
    assertThat(world.node(1).volumeUid).isNotEqualTo(before);
    assertThat(world.node(1).rebuilding).isFalse();
  }

  @Test
  void aVolumeThatIsDeletedIsReplacedWhateverHappensToTheOthers() {
    asks(TaskAction.REPLACE, 1);
    world.apply(step());
    assertThat(step()).isInstanceOf(Step.RemoveVolume.class);
    world.apply(step());
    world.node(2).ready = false;
    assertThat(RestartPlanner.obstacle(world.observe())).isEmpty();
    assertThat(step()).isInstanceOf(Step.RestartPod.class);
  }

  @Test
  void aVolumeIsKeptWhileAnotherMemberIsIll() {
    asks(TaskAction.REPLACE, 1);
    world.apply(step());
    world.node(2).rebuilding = true;
    assertThat(step()).isNotInstanceOf(Step.RemoveVolume.class);
    assertThat(RestartPlanner.obstacle(world.observe()).map(Notice::reason))
        .contains(Reason.MEMBER_REBUILDING);
  }

  @Test
  void theOnlyCopiesAreNotReplaced() {
    world.replication = 1;
    world.topologyReplication = OptionalInt.of(1);
    asks(TaskAction.REPLACE, 1);
    world.run();
    assertEnds(false, Reason.NO_OTHER_COPY);
  }
}
