package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import java.util.Optional;
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
    world.task = Optional.of(WorldTasks.task(TaskAction.RESTART, ordinal));
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
}
