package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.view.VolumeView;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Volumes of members that left: a day in these worlds, and then they go. */
class LeftVolumePlannerTest extends Planned {
  private static final String LEFT = "data-kvorum-3";
  private static final Step.MarkLeftVolume MARK = new Step.MarkLeftVolume(LEFT, true);

  /** A cluster of three that has had a fourth member. */
  private void leave() {
    world.replicas = 4;
    world.run();
    assertThat(world.members()).hasSize(4);
    world.replicas = 3;
    world.converge();
    while (!(next() instanceof Step.MarkLeftVolume || next() instanceof Step.Rest)) {
      world.apply(next());
      world.converge();
    }
    assertThat(world.members()).hasSize(3);
  }

  private void marked() {
    world.leftVolumes = DeletionPolicy.DELETE;
    leave();
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.node(3).leftAt).contains(world.now);
  }

  private void later(Duration time) {
    world.now = world.now.plus(time);
  }

  @Test
  void byDefaultTheyStayAndAreCounted() {
    leave();
    later(Duration.ofDays(400));
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(LeftVolumePlanner.left(world.observe()))
        .extracting(VolumeView::name)
        .containsExactly(LEFT);
  }

  @Test
  void theyGoAfterTheirTime() {
    world.leftVolumes = DeletionPolicy.DELETE;
    leave();
    assertThat(next()).isEqualTo(MARK);
    world.apply(MARK);
    later(Duration.ofHours(24).minusSeconds(1));
    assertThat(next()).isInstanceOf(Step.Rest.class);
    later(Duration.ofSeconds(1));
    assertThat(next()).isEqualTo(new Step.RemoveLeftVolume(LEFT, world.node(3).volumeUid));
    world.apply(next());
    assertThat(next()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(3);
  }

  @Test
  void theTimeBeginsAnewWhenAMemberComesBack() {
    marked();
    later(Duration.ofHours(23));
    world.replicas = 4;
    assertThat(next()).isEqualTo(new Step.MarkLeftVolume(LEFT, false));
    world.run();
    later(Duration.ofHours(23));
    leave();
    assertThat(next()).isEqualTo(MARK);
  }

  @Test
  void theTimeBeginsAnewWithTheSetting() {
    marked();
    world.leftVolumes = DeletionPolicy.RETAIN;
    later(Duration.ofDays(2));
    assertThat(next()).isEqualTo(new Step.MarkLeftVolume(LEFT, false));
    world.run();
    world.leftVolumes = DeletionPolicy.DELETE;
    assertThat(next()).isEqualTo(MARK);
  }

  @Test
  void nothingIsDeletedWhileAMemberIsIllOrTheClusterChanges() {
    marked();
    later(Duration.ofDays(2));
    world.node(1).ready = false;
    assertThat(next()).isInstanceOf(Step.Wait.class);
    world.node(1).ready = true;
    world.paused = true;
    assertThat(next()).isInstanceOf(Step.Wait.class);
    world.paused = false;
    world.specHash = "b";
    until(Step.RestartPod.class);
    assertThat(world.node(3).volumeUid).isNotEmpty();
  }

  @Test
  void aVolumeThatAPodUsesStays() {
    marked();
    later(Duration.ofDays(2));
    world.node(3).there = true;
    assertThat(next()).isEqualTo(new Step.MarkLeftVolume(LEFT, false));
  }

  @Test
  void volumesOfOtherClustersAndUnusedOnesStay() {
    world.leftVolumes = DeletionPolicy.DELETE;
    leave();
    world.node(3).mark = Optional.empty();
    assertThat(next()).isInstanceOf(Step.Rest.class);
    assertThat(LeftVolumePlanner.left(world.observe())).isEmpty();
  }

  @Test
  void withoutATopologyNothingIsLeft() {
    marked();
    later(Duration.ofDays(2));
    world.topology = Optional.empty();
    assertThat(LeftVolumePlanner.left(world.observe())).isEmpty();
    assertThat(next()).isNotInstanceOf(Step.RemoveLeftVolume.class);
  }
}
