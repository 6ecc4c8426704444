package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lost members are removed by a task. */
class RemovalPlannerTest extends Planned {
  @BeforeEach
  void fiveMembers() {
    world.replicas = 5;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  private void asks(int ordinal) {
    world.task = Optional.of(WorldTasks.task(TaskAction.REMOVE, ordinal));
  }

  private void isLost(int ordinal) {
    world.node(ordinal).dead = true;
    asks(ordinal);
  }

  private List<String> names() {
    return world.members().stream().map(TopologyMember::name).toList();
  }

  private Optional<Reason> obstacle() {
    return RemovalPlanner.obstacle(world.observe()).map(Notice::reason);
  }

  private void assertFails(Reason reason) {
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.EndTask.class,
            it -> {
              assertThat(it.complete()).isFalse();
              assertThat(it.why().reason()).isEqualTo(reason);
            });
  }

  @Test
  void aLostMemberIsRemovedAndJoinsAgainOnceItsNodeResponds() {
    isLost(1);
    assertThat(next()).isInstanceOf(Step.StartTask.class);
    assertThat(until(EpochChange.AnnounceRemoving.class).member()).isEqualTo("kvorum-1");
    until(EpochChange.BeginSettling.class);
    until(EpochChange.MakeStable.class);
    assertThat(until(Step.EndTask.class).complete()).isTrue();
    assertThat(names()).containsExactly("kvorum-0", "kvorum-2", "kvorum-3", "kvorum-4");
    assertWaits(world.run(), Reason.PODS_PENDING);
    assertThat(world.setReplicas).as("pods").hasValue(5);
    world.node(1).dead = false;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(names()).hasSize(5).contains("kvorum-1");
    assertThat(world.ended).map(Step.EndTask::why).map(Notice::reason).contains(Reason.REMOVED);
  }

  @Test
  void aMemberThatIsNotLostIsNotRemoved() {
    asks(1);
    assertFails(Reason.MEMBER_RUNNING);
    world.node(1).rebuilding = true;
    assertFails(Reason.MEMBER_RUNNING);
    world.node(1).rebuilding = false;
    isLost(1);
    world.apply(until(Step.StartTask.class));
    world.node(1).dead = false;
    assertFails(Reason.MEMBER_RUNNING);
    asks(7);
    assertFails(Reason.NOT_A_MEMBER);
  }

  @Test
  void aMemberWithoutWhichThereWouldBeTooFewIsNotRemoved() {
    world.replicas = 3;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    isLost(1);
    assertFails(Reason.TOO_FEW_MEMBERS);
  }

  @Test
  void theOnlyCopiesAreNotRemoved() {
    world.replication = 1;
    world.topologyReplication = OptionalInt.of(1);
    isLost(1);
    assertFails(Reason.NO_OTHER_COPY);
  }

  @Test
  void aTaskForAFormerClusterOfThatNameFails() {
    isLost(1);
    world.task = Optional.of(WorldTasks.outdated(WorldTasks.task(TaskAction.REMOVE, 1)));
    assertFails(Reason.TASK_OUTDATED);
  }

  @Test
  void aGapIsClosedBeforeMoreMembersLeaveThanAskedFor() {
    isLost(1);
    world.run();
    world.replicas = 3;
    assertThat(until(EpochChange.AnnounceLeaving.class).member()).isEqualTo("kvorum-4");
    assertWaits(world.run(), Reason.PODS_PENDING);
    assertThat(names()).containsExactly("kvorum-0", "kvorum-2", "kvorum-3");
    world.node(1).dead = false;
    assertThat(until(EpochChange.AnnounceJoining.class).member()).isEqualTo("kvorum-1");
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(names()).containsExactly("kvorum-0", "kvorum-1", "kvorum-2");
  }

  @Test
  void theOthersMustBeHealthyCompleteAndAbleToDoIt() {
    isLost(1);
    world.node(2).dead = true;
    assertThat(obstacle()).contains(Reason.MEMBER_DOWN);
    assertWaits(next(), Reason.MEMBER_DOWN);
    world.node(2).dead = false;
    world.node(2).rebuilding = true;
    assertThat(obstacle()).contains(Reason.MEMBER_REBUILDING);
    world.node(2).rebuilding = false;
    world.node(2).hintsFor = 1;
    assertThat(obstacle()).contains(Reason.HINTS_WAITING);
    world.node(2).hintsFor = 0;
    world.node(2).cleanedUp = 0;
    assertThat(obstacle()).contains(Reason.CLEANUP);
    world.converge();
    world.node(2).data = OptionalLong.of(60 * World.GIB);
    for (int ordinal : List.of(0, 2, 3, 4)) {
      world.node(ordinal).data = OptionalLong.of(60 * World.GIB);
      world.node(ordinal).diskFree = OptionalLong.of(20 * World.GIB);
    }
    assertThat(obstacle()).as("15 GiB more, and room to compact").contains(Reason.DISK_TOO_SMALL);
    world.nodes.values().forEach(node -> node.diskFree = OptionalLong.of(23 * World.GIB));
    world.operations = Set.of(ZonePlanner.OPERATION);
    assertThat(obstacle()).contains(Reason.NODES_TOO_OLD);
    world.operations = Set.of(RemovalPlanner.OPERATION);
    assertThat(obstacle()).isEmpty();
    until(EpochChange.AnnounceRemoving.class);
  }

  @Test
  void aMemberThatIsRestartingMayReturn() {
    world.end(world.node(1));
    asks(1);
    assertThat(next()).as("it has no pod").isInstanceOf(Step.StartTask.class);
    world.control(1);
    world.node(1).created = world.now.minusSeconds(10);
    assertThat(obstacle()).contains(Reason.MEMBER_STARTING);
  }

  @Test
  void aRemovalIsCancelledWithItsTask() {
    isLost(1);
    until(EpochChange.BeginSettling.class);
    world.task = Optional.empty();
    assertThat(until(EpochChange.Cancel.class).next().members()).hasSize(5);
    world.node(1).dead = false;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void aChangeThatWaitsForTheLostMemberIsCancelled() {
    world.replicas = 6;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    isLost(1);
    until(EpochChange.Cancel.class);
    until(EpochChange.AnnounceRemoving.class);
    until(Step.EndTask.class);
    assertWaits(world.run(), Reason.PODS_PENDING);
    world.node(1).dead = false;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(names()).hasSize(6);
  }

  @Test
  void aMemberThatIsLostWhileItJoinsIsDropped() {
    world.replicas = 6;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    isLost(5);
    until(EpochChange.Cancel.class);
    assertThat(until(Step.EndTask.class).complete()).isTrue();
    assertThat(names()).hasSize(5);
  }
}
