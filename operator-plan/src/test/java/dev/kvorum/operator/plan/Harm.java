package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.NodeReport;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What no step may ever do, judged by the nodes' real state and not by their reports. */
final class Harm {
  private final Map<String, String> zones = new HashMap<>();
  private final Set<String> published = new HashSet<>();

  /** Images of templates that were made while there was no topology, or no StatefulSet. */
  private final Set<String> unasked = new HashSet<>();

  private final World world;

  Harm(World world) {
    this.world = world;
  }

  void check(Step step) {
    VolumeHarm.use(world);
    boolean acts =
        !(step instanceof Step.Wait || step instanceof Step.Reject || step instanceof Step.Rest);
    boolean owns = step instanceof Step.OwnVolume || step instanceof Step.MarkTopology;
    assertThat(acts && !owns && world.paused).as("acts while paused").isFalse();
    switch (step) {
      case Step.NextEpoch next -> checkChange(world.topology.orElseThrow(), next.change());
      case Step.ScaleStatefulSet scale -> checkPods(scale.from(), scale.to());
      case Step.CreateStatefulSet create -> {
        unasked.add(world.image);
        int there =
            world.nodes.entrySet().stream()
                .filter(entry -> entry.getValue().there)
                .mapToInt(entry -> entry.getKey() + 1)
                .max()
                .orElse(0);
        checkPods(there, create.replicas());
      }
      case Step.RestartPod restart -> new RestartHarm(world).check(restart);
      case Step.RemoveVolume remove -> new RestartHarm(world).check(remove);
      case Step.RemoveLeftVolume remove -> VolumeHarm.check(world, remove);
      case Step.UpdateStatefulSet _ -> checkImage();
      case Step.RollBack back -> checkRollback(back);
      case Step.BootstrapTopology found -> {
        assertThat(world.topology).isEmpty();
        assertThat(world.nodes.values())
            .as("copies of a topology")
            .noneMatch(node -> node.mark.isPresent() && node.epochSeen > 0);
        assertThat(found.members()).hasSizeGreaterThanOrEqualTo(world.replication);
        found.members().forEach(this::isMarked);
      }
      case Step.RestoreTopology restore -> checkRestore(restore.topology());
      case Step.Identify _ -> assertThat(world.clusterId).isEmpty();
      case Step.PutObject _,
          Step.MarkVolume _,
          Step.MarkLeftVolume _,
          Step.OwnVolume _,
          Step.ResizeVolume _,
          Step.CheckImage _,
          Step.CheckBackup _,
          Step.RestoreBackup _,
          Step.RemoveRestoreJob _,
          Step.CreateRestoreUser _,
          Step.RemoveRestoreUser _,
          Step.EndRestore _,
          Step.OwnStatefulSet _,
          Step.SealStatefulSet _,
          Step.RecreateStatefulSet _,
          Step.MarkTopology _,
          Step.SaveTopology _,
          Step.StartTask _,
          Step.EndTask _,
          Step.Wait _,
          Step.Reject _,
          Step.Rest _ -> {}
    }
  }

  /** A pod from the new template has what is active, and members that answer can talk to it. */
  private void checkImage() {
    if (world.topology.isEmpty()) {
      unasked.add(world.image);
    }
    if (unasked.contains(world.image)) {
      return;
    }
    assertThat(world.images.release(world.image).features())
        .as("features of %s", world.image)
        .containsAll(published);
    for (TopologyMember member : world.members()) {
      WorldNode node = world.node(member);
      if (node.there && node.ready && !node.dead && !node.silent) {
        assertThat(world.images.release(node.image).worksWith(world.images.release(world.image)))
            .as("%s talks to %s", member.name(), world.image)
            .isTrue();
      }
    }
  }

  /** A member is well with the fallback, it has what is active, and each update fails once. */
  private void checkRollback(Step.RollBack back) {
    WorldRollout rollout = world.rollout;
    boolean again = rollout.view().hasFailed(back.failed());
    assertThat(again).as("rolled back before").isEqualTo(back.putsBack());
    if (again) {
      return;
    }
    assertThat(rollout.fallback).isPresent().isNotEqualTo(Optional.of(world.setHash));
    assertThat(world.members())
        .as("a member is well with the fallback")
        .map(world::node)
        .anyMatch(node ->
            node.there
                && node.ready
                && !node.dead
                && rollout.fallback.equals(Optional.of(node.hash)));
    assertThat(world.images.release(rollout.fallbackImage).features()).containsAll(published);
  }

  private void checkChange(KvorumTopologySpec now, EpochChange change) {
    KvorumTopologySpec next = change.next();
    assertThat(next.epoch()).isEqualTo(now.epoch() + 1);
    assertThat(next.clusterId()).isEqualTo(now.clusterId());
    Set<MemberState> changing = EnumSet.noneOf(MemberState.class);
    next.changing().forEach(member -> changing.add(member.state()));
    assertThat(changing.isEmpty()).isEqualTo(next.phase() == TopologyPhase.STABLE);
    assertThat(changing).as("kinds of changes at once").hasSizeLessThanOrEqualTo(1);
    if (!changing.contains(MemberState.MOVING)) {
      assertThat(next.changing()).as("members that join or leave").hasSizeLessThanOrEqualTo(1);
    }
    assertThat(
            next.members().stream()
                .filter(it -> it.state() != MemberState.JOINING)
                .filter(it -> it.state() != MemberState.LEAVING)
                .filter(it -> it.state() != MemberState.REMOVING))
        .as("members that stay")
        .hasSizeGreaterThanOrEqualTo(world.replication);
    zones.keySet().removeIf(name -> now.member(name).isEmpty());
    for (TopologyMember member : next.members()) {
      String moved =
          now.member(member.name())
              .filter(it -> it.state() == MemberState.MOVING)
              .filter(it -> change instanceof EpochChange.MakeStable)
              .map(TopologyMember::nextZone)
              .orElse(zones.getOrDefault(member.name(), member.zone()));
      assertThat(member.zone()).as("zone of %s", member.name()).isEqualTo(moved);
      zones.put(member.name(), member.zone());
    }
    next.members().forEach(this::isMarked);
    assertThat(next.features()).as("active features").containsAll(now.features()).isSorted();
    switch (change) {
      case EpochChange.AnnounceJoining _,
          EpochChange.AnnounceLeaving _,
          EpochChange.AnnounceMoving _ -> {
        assertThat(now.phase()).isEqualTo(TopologyPhase.STABLE);
        allWell(now, now.members());
        if (change instanceof EpochChange.AnnounceLeaving) {
          noHints(now.members());
        }
      }
      case EpochChange.AnnounceRemoving removing -> checkRemoval(now, removing);
      case EpochChange.BeginSettling _, EpochChange.MakeStable _ -> {
        assertThat(now.phase()).isNotEqualTo(TopologyPhase.STABLE);
        allSeen(now);
        for (TopologyMember member : now.participants()) {
          assertThat(world.node(member).transferred).as("%s copied", member).isEqualTo(now.epoch());
        }
      }
      case EpochChange.ActivateFeatures _ -> checkActivation(now, next);
      case EpochChange.Cancel _ -> {
        assertThat(now.phase()).isNotEqualTo(TopologyPhase.STABLE);
        assertThat(next.members().stream().map(TopologyMember::name))
            .as("the old set")
            .containsExactlyElementsOf(
                now.members().stream()
                    .filter(it -> it.state() != MemberState.JOINING)
                    .map(TopologyMember::name)
                    .toList());
      }
    }
  }

  private void checkActivation(KvorumTopologySpec now, KvorumTopologySpec next) {
    assertThat(now.phase()).isEqualTo(TopologyPhase.STABLE);
    assertThat(next.hasContentsOf(now)).isTrue();
    assertThat(next.features()).isNotEqualTo(now.features());
    allWell(now, now.members());
    for (TopologyMember member : now.members()) {
      WorldNode node = world.node(member);
      assertThat(node.hash).as("template of %s", member.name()).isEqualTo(world.setHash);
      assertThat(world.images.release(node.image).features()).containsAll(next.features());
    }
    if (world.activation == FeatureActivation.HELD) {
      assertThat(published).as("features while they are held").containsAll(next.features());
    }
    published.addAll(next.features());
  }

  private void checkRemoval(KvorumTopologySpec now, EpochChange.AnnounceRemoving removing) {
    assertThat(now.phase()).isEqualTo(TopologyPhase.STABLE);
    TopologyMember lost = now.member(removing.member()).orElseThrow();
    assertThat(
            world.task.filter(task ->
                task.started() && RestartHarm.isAbout(task, TaskAction.REMOVE, lost.name())))
        .isPresent();
    List<TopologyMember> others = new ArrayList<>(now.members());
    others.remove(lost);
    allWell(now, others);
    noHints(others);
    WorldNode node = world.node(lost);
    boolean serves =
        node.there && node.ready && node.reachable && !node.dead && !node.silent && !node.stuck;
    assertThat(serves).as("%s serves", lost).isFalse();
  }

  private void allWell(KvorumTopologySpec now, List<TopologyMember> members) {
    allSeen(now, members);
    for (TopologyMember member : members) {
      WorldNode node = world.node(member);
      assertThat(node.cleanedUp).as("%s cleaned up", member).isEqualTo(now.epoch());
      assertThat(node.there && node.ready && !node.dead && !node.rebuilding)
          .as("%s is well", member)
          .isTrue();
    }
  }

  private void noHints(List<TopologyMember> members) {
    for (TopologyMember member : members) {
      assertThat(world.node(member).hintsFor).as("hints for %s", member).isZero();
    }
  }

  /** No node may be ahead of it, or have something else under its number. */
  private void checkRestore(KvorumTopologySpec restored) {
    assertThat(world.topology).isEmpty();
    for (Map.Entry<Integer, WorldNode> entry : world.nodes.entrySet()) {
      WorldNode node = entry.getValue();
      if (node.mark.isEmpty()) {
        continue;
      }
      assertThat(node.epochSeen)
          .as("epoch of %s", entry.getKey())
          .isLessThanOrEqualTo(restored.epoch());
      if (node.epochSeen == restored.epoch()) {
        NodeReport.Reported had = node.reported.orElseThrow();
        assertThat(restored.phase()).isEqualTo(had.phase());
        assertThat(restored.members()).containsExactlyInAnyOrderElementsOf(had.members());
      }
    }
  }

  private void isMarked(TopologyMember member) {
    assertThat(world.node(member).mark).as("mark of %s", member).contains(world.clusterId);
  }

  private void allSeen(KvorumTopologySpec now) {
    allSeen(now, now.participants());
  }

  private void allSeen(KvorumTopologySpec now, List<TopologyMember> members) {
    for (TopologyMember member : members) {
      assertThat(world.node(member).epochSeen).as("%s has seen", member).isEqualTo(now.epoch());
    }
  }

  private void checkPods(int from, int to) {
    for (TopologyMember member : world.members()) {
      assertThat(World.ordinal(member.name())).as("pods of members stay").isLessThan(to);
    }
    if (to > from && world.topology.isPresent()) {
      long members = world.members().size();
      assertThat(members).as("pods that wait to join").isGreaterThanOrEqualTo(to - 1L);
    }
    if (to < from && world.topology.isPresent()) {
      assertThat(world.topology.get().phase()).isEqualTo(TopologyPhase.STABLE);
      allSeen(world.topology.get());
    }
  }
}
