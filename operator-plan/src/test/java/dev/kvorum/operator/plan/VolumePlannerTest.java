package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.VolumeGrowth;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Volumes that grow, grow late or do not grow. */
class VolumePlannerTest extends Planned {
  /** Larger volumes are requested, and not there yet. */
  private void grow(VolumeGrowth reported) {
    born();
    world.present().forEach(node -> node.capacityGib = 10);
    world.sizeGib = 20;
    world.present().forEach(node -> node.growth = reported);
    world.run();
    assertThat(world.present()).allMatch(node -> node.volumeGib == 20);
    world.node(0).capacityGib = 20;
    world.node(2).capacityGib = 20;
  }

  private List<Notice> rejected() {
    return ClusterPlanner.plan(world.observe()).rejected();
  }

  private void waits(String why) {
    assertWaits(world.run(), Reason.RESIZING_VOLUME);
    assertThat(next())
        .isInstanceOfSatisfying(
            Step.Wait.class,
            it -> assertThat(it.message()).startsWith("data-kvorum-1").contains(why));
    assertThat(rejected()).isEmpty();
  }

  @Test
  void theClusterIsReadyOnceItsVolumesHaveGrown() {
    grow(VolumeGrowth.NOT_REPORTED);
    waits("the storage driver");
    world.node(1).growth = VolumeGrowth.RESIZING;
    waits("is being enlarged");
    world.node(1).growth = VolumeGrowth.FILE_SYSTEM_PENDING;
    waits("file system");
    world.node(1).capacityGib = 20;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void growthThatFailsIsNamedAndBlocksNothingElse() {
    grow(VolumeGrowth.INFEASIBLE);
    world.replicas = 4;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(4);
    assertThat(rejected())
        .containsExactly(
            new Notice(
                Reason.VOLUME_CANNOT_GROW,
                "data-kvorum-1 cannot be enlarged by the storage system: see its Events;"
                    + " storage.size may go back to 10Gi"));
    world.node(1).growth = VolumeGrowth.FAILING;
    assertThat(rejected()).extracting(Notice::reason).containsExactly(Reason.VOLUME_CANNOT_GROW);
  }

  @Test
  void aSizeThatIsTakenBackIsThatOfTheTemplateAgain() {
    grow(VolumeGrowth.INFEASIBLE);
    assertThat(world.setGib).isEqualTo(20);
    world.sizeGib = 15;
    assertThat(next()).isEqualTo(new Step.ResizeVolume("data-kvorum-1", 15 * World.GIB));
    world.sizeGib = 10;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(rejected()).isEmpty();
    assertThat(world.setGib).isEqualTo(10);
    assertThat(world.present()).allMatch(node -> node.uid.matches("uid-[123]"));
    world.sizeGib = 5;
    assertThat(rejected()).extracting(Notice::reason).containsExactly(Reason.VOLUME_CANNOT_SHRINK);
  }
}
