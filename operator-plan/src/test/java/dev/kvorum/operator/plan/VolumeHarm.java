package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.time.Duration;

/** Deletions of volumes that are in use, or may be wanted back. */
final class VolumeHarm {
  private VolumeHarm() {}

  /** Records which volumes are members', or in use. */
  static void use(World world) {
    world.present().forEach(node -> node.usedAt = world.now);
    world.members().forEach(member -> world.node(member).usedAt = world.now);
  }

  static void check(World world, Step.RemoveLeftVolume remove) {
    int ordinal = World.ordinal(remove.volume());
    WorldNode node = world.node(ordinal);
    assertThat(node.volumeUid).isEqualTo(remove.uid());
    assertThat(world.leftVolumes).isEqualTo(DeletionPolicy.DELETE);
    assertThat(ordinal).as("ordinal").isGreaterThanOrEqualTo(world.replicas);
    assertThat(node.mark).contains(world.clusterId);
    assertThat(world.members().stream().map(TopologyMember::name))
        .doesNotContain(World.NAME + "-" + ordinal);
    assertThat(world.topology.orElseThrow().phase()).isEqualTo(TopologyPhase.STABLE);
    assertThat(node.there).as("%s is in use", remove.volume()).isFalse();
    assertThat(Duration.between(node.usedAt, world.now))
        .as("time since %s was used", remove.volume())
        .isGreaterThanOrEqualTo(Duration.ofHours(24));
    for (TopologyMember member : world.members()) {
      assertThat(world.node(member).epochSeen)
          .as("%s has seen", member.name())
          .isEqualTo(world.topology.get().epoch());
    }
  }
}
