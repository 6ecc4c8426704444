package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which members count as down, as starting, or as without data. */
class HealthTest extends Planned {
  private void assertWaits(ClusterPhase phase, Reason reason, String message) {
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.Wait.class,
            wait -> {
              assertThat(wait.phase()).isEqualTo(phase);
              assertThat(wait.reason()).isEqualTo(reason);
              assertThat(wait.message()).contains(message);
            });
  }

  /** The last pod of an update is gone. */
  private void restartLast() {
    born();
    world.specHash = "b";
    while (!until(Step.RestartPod.class).pod().equals("kvorum-0")) {
      world.apply(next());
      world.converge();
    }
    world.apply(next());
  }

  private void start() {
    world.control(0);
    world.node(0).created = world.now;
  }

  @Test
  void aMemberIsStartingUntilTheDeadlineAfterARestartByTheOperator() {
    restartLast();
    assertWaits(ClusterPhase.UPDATING, Reason.RESTARTING_POD, "kvorum-0 has no pod");
    start();
    assertWaits(ClusterPhase.UPDATING, Reason.RESTARTING_POD, "kvorum-0 is starting");
    world.now = world.now.plus(Duration.ofMinutes(9));
    assertWaits(ClusterPhase.UPDATING, Reason.RESTARTING_POD, "kvorum-0 is not ready");
    world.now = world.now.plus(Duration.ofMinutes(1));
    world.rollout.fallback = Optional.empty();
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_DOWN, "kvorum-0 is not ready");
  }

  @Test
  void aPodThatCannotBeCreatedIsDownAlsoAfterARestartByTheOperator() {
    restartLast();
    world.podCreationFailure = Optional.of("exceeded quota");
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_DOWN, "kvorum-0 has no pod: exceeded quota");
  }

  @Test
  void aMemberIsStartingForTwoMinutesAfterARestartByOthers() {
    born();
    world.end(world.node(0));
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_DOWN, "kvorum-0 has no pod");
    start();
    assertWaits(ClusterPhase.UPDATING, Reason.MEMBER_STARTING, "kvorum-0 is starting");
    world.apply(next());
    world.now = world.now.plus(Health.START_GRACE);
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_DOWN, "kvorum-0 is not ready");
  }

  @Test
  void membersWithoutAnyDataWaitUntilAPersonAcceptsTheLoss() {
    born();
    world.nodes.values().forEach(WorldNode::empty);
    assertThat(world.run()).isInstanceOf(Step.Wait.class);
    assertWaits(ClusterPhase.DEGRADED, Reason.NO_MEMBER_HAS_DATA, "pod/kvorum-0 8090");
    world.replicas = 5;
    assertThat(next())
        .as("no change begins")
        .isInstanceOfSatisfying(
            Step.Reject.class, it -> assertThat(it.reason()).isEqualTo(Reason.NO_MEMBER_HAS_DATA));
    world.lossAccepted = true;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(5);
  }

  @Test
  void aNewClusterAndOneWithAMemberThatMayHaveDataAreNoLoss() {
    born();
    world.nodes.values().forEach(WorldNode::empty);
    assertThat(world.run()).isInstanceOf(Step.Wait.class);
    world.topologyFounded = false;
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_REBUILDING, "kvorum-0");
    world.topologyFounded = true;
    world.node(2).silent = true;
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_REBUILDING, "kvorum-0");
    world.node(2).silent = false;
    world.node(2).blank = false;
    assertWaits(ClusterPhase.DEGRADED, Reason.MEMBER_REBUILDING, "kvorum-0");
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }
}
