package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Place;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Members are placed by the zones in which they run. */
class ZonePlannerTest extends Planned {
  private void runsIn(int ordinal, String zone) {
    world.node(ordinal).place = new Place("elsewhere-" + ordinal, zone);
  }

  private List<String> zones() {
    return world.members().stream().map(TopologyMember::zone).toList();
  }

  @Test
  void membersThatRunInOtherZonesMoveInOneChange() {
    born();
    assertThat(zones()).containsExactly("zone-0", "zone-1", "zone-2");
    runsIn(1, "zone-2");
    runsIn(2, "zone-1");
    EpochChange.AnnounceMoving moving = until(EpochChange.AnnounceMoving.class);
    assertThat(moving.member()).isEqualTo("kvorum-1, kvorum-2");
    assertThat(moving.next().phase()).isEqualTo(TopologyPhase.TRANSFERRING);
    assertThat(moving.next().members().get(1)).isEqualTo(world.members().get(1).movingTo("zone-2"));
    assertThat(until(EpochChange.BeginSettling.class).member()).isEqualTo(moving.member());
    until(EpochChange.MakeStable.class);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(zones()).containsExactly("zone-0", "zone-2", "zone-1");
  }

  @Test
  void aMoveIsCancelledOnceTheMemberRunsElsewhere() {
    born();
    runsIn(1, "zone-0");
    until(EpochChange.BeginSettling.class);
    runsIn(1, "");
    assertThat(next()).isInstanceOf(Step.NextEpoch.class);
    runsIn(1, "zone-1");
    until(EpochChange.Cancel.class);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(zones()).containsExactly("zone-0", "zone-1", "zone-2");
  }

  @Test
  void aMachineWithoutAZoneMovesNobodyAndAFirstZoneDoes() {
    runsIn(2, "");
    born();
    runsIn(1, "");
    assertThat(next()).isInstanceOf(Step.Rest.class);
    runsIn(2, "zone-3");
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(zones()).containsExactly("zone-0", "zone-1", "zone-3");
  }

  @Test
  void membersMoveOnceAllAreHealthyAndBeforeOthersJoin() {
    born();
    runsIn(1, "zone-0");
    world.node(2).dead = true;
    assertWaits(next(), Reason.MEMBER_DOWN);
    world.node(2).dead = false;
    world.replicas = 5;
    assertThat(until(EpochChange.class)).isInstanceOf(EpochChange.AnnounceMoving.class);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(zones()).containsExactly("zone-0", "zone-0", "zone-2", "zone-0", "zone-1");
  }

  @Test
  void nodesThatDoNotKnowMovesAreNotAskedForThem() {
    born();
    runsIn(1, "zone-0");
    world.operations = Set.of();
    assertThat(next()).isInstanceOf(Step.Rest.class);
    assertThat(FailureDomains.crowded(world.observe()))
        .contains(
            new Notice(
                Reason.ZONE_DIFFERS,
                "kvorum-1: copies are not placed by the zone of the machine, because not all nodes"
                    + " have an image that can change this"));
  }

  @Test
  void aMoveThatFillsADiskDoesNotBegin() {
    world.replicas = 6;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    world
        .nodes
        .values()
        .forEach(node -> {
          node.data = OptionalLong.of(5 * World.GIB);
          node.diskFree = OptionalLong.of(4 * World.GIB);
        });
    // The one that stays in the third zone gets twice as much: all records.
    runsIn(5, "zone-0");
    assertThat(next()).isInstanceOf(Step.Rest.class);
    assertThat(FailureDomains.crowded(world.observe()))
        .map(Notice::message)
        .contains(
            "kvorum-5: copies are not placed by the zone of the machine, because the data would not"
                + " fit on kvorum-2; raise storage.size");
    world.node(2).diskFree = OptionalLong.of(8 * World.GIB);
    until(EpochChange.AnnounceMoving.class);
  }
}
