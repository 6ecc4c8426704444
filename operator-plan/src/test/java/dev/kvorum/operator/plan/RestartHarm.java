package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.TaskView;

/** Restarts that take away more than one member at a time, or records that nobody else has. */
record RestartHarm(World world) {
  static boolean isAbout(TaskView task, TaskAction action, String member) {
    return task.action() == action && task.member().equals(member);
  }

  private boolean isAsked(TaskAction action, int ordinal) {
    return world.task.filter(it -> isAbout(it, action, World.NAME + "-" + ordinal)).isPresent();
  }

  void check(Step.RestartPod restart) {
    int ordinal = World.ordinal(restart.pod());
    WorldNode pod = world.node(ordinal);
    assertThat(pod.uid).isEqualTo(restart.uid());
    if (isAsked(TaskAction.REPLACE, ordinal) && pod.volumeDeleting) {
      // The volume was checked, and cannot be had back.
      return;
    }
    boolean otherImage = world.topology.isEmpty() && !pod.image.equals(world.setImage);
    boolean isAsked = isAsked(TaskAction.RESTART, ordinal);
    assertThat(isAsked || otherImage || !pod.hash.equals(world.setHash))
        .as("is outdated, or a task asks for it")
        .isTrue();
    boolean member = world.members().stream().anyMatch(it -> world.node(it) == pod);
    if (member && pod.ready && !pod.dead) {
      checkOthers(pod, restart.pod(), isAsked);
    }
  }

  void check(Step.RemoveVolume remove) {
    int ordinal = World.ordinal(remove.volume());
    WorldNode node = world.node(ordinal);
    assertThat(node.volumeUid).isEqualTo(remove.uid());
    assertThat(isAsked(TaskAction.REPLACE, ordinal)).as("a task asks for it").isTrue();
    assertThat(world.task.orElseThrow().started()).isTrue();
    assertThat(world.replication).as("copies").isGreaterThan(1);
    checkOthers(node, remove.volume(), true);
  }

  /** A member that a task is about may be ill itself. */
  private void checkOthers(WorldNode node, String what, boolean isAsked) {
    assertThat(world.topology.orElseThrow().phase()).isEqualTo(TopologyPhase.STABLE);
    for (TopologyMember other : world.members()) {
      WorldNode one = world.node(other);
      if (!isAsked || one != node) {
        assertThat(one.there && one.ready && !one.dead && !one.rebuilding)
            .as("%s is well while %s goes", other.name(), what)
            .isTrue();
        assertThat(one.hintsFor).as("hints for %s", other.name()).isZero();
      }
    }
  }
}
