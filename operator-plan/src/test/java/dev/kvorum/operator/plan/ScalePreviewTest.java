package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.LossStatus;
import dev.kvorum.operator.api.PlanStatus;
import dev.kvorum.operator.api.PlannedMember;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.SpareDomains;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What another number of members would change. */
class ScalePreviewTest extends Planned {
  private PlanStatus preview(int replicas) {
    world.dryRunReplicas = replicas;
    return ScalePreview.of(world.observe()).orElseThrow();
  }

  /** A cluster at rest, with its members' data and free space in GiB. */
  private void members(int count, long data, long free) {
    world.replicas = count;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    for (int ordinal = 0; ordinal < count; ordinal++) {
      world.node(ordinal).data = OptionalLong.of(data * World.GIB);
      world.node(ordinal).diskFree = OptionalLong.of(free * World.GIB);
    }
  }

  @Test
  void reportsNothingThatIsNotAskedFor() {
    born();
    assertThat(ScalePreview.of(world.observe())).isEmpty();
  }

  @Test
  void changesNothing() {
    born();
    preview(5);
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(3);
  }

  @Test
  void twoMembersTakeHalfOfTwoZones() {
    members(3, 4, 9);
    PlanStatus plan = preview(5);
    assertThat(plan.members())
        .containsExactly(
            new PlannedMember("kvorum-0", "zone-0", 2048, 4096, "2 GiB"),
            new PlannedMember("kvorum-1", "zone-1", 2048, 4096, "2 GiB"),
            new PlannedMember("kvorum-2", "zone-2", 4096, 4096, "4 GiB"),
            new PlannedMember("kvorum-3", "zone-0", 2048, 0, "2 GiB"),
            new PlannedMember("kvorum-4", "zone-1", 2048, 0, "2 GiB"));
    assertThat(plan.movedSlots()).isEqualTo(4096);
    assertThat(plan.fits()).isTrue();
    assertThat(plan.reason()).isNull();
    assertThat(plan.message()).isEqualTo("2 members join, one at a time");
    // Twice three scans of 4 GiB at 64 MiB/s.
    assertThat(plan.roughDuration()).isEqualTo("7m");
  }

  @Test
  void membersThatLeaveAreNamedByTheirAbsence() {
    members(5, 1, 9);
    PlanStatus plan = preview(4);
    assertThat(plan.members())
        .extracting(PlannedMember::name)
        .containsExactly("kvorum-0", "kvorum-1", "kvorum-2", "kvorum-3");
    assertThat(plan.movedSlots()).as("what kvorum-4 keeps").isEqualTo(2048);
    assertThat(plan.message()).isEqualTo("1 member leaves, one at a time");
  }

  @Test
  void gapsAreClosedInTheOrderOfThePlanner() {
    members(5, 1, 9);
    world.topology =
        world.topology.map(it ->
            new KvorumTopologySpec(
                it.clusterId(),
                it.epoch(),
                it.phase(),
                it.members().stream().filter(member -> !member.name().equals("kvorum-1")).toList(),
                it.features()));
    assertThat(ScalePath.to(world.observe(), 3))
        .extracting(step -> step.stream().map(TopologyMember::name).sorted().toList())
        .containsExactly(
            List.of("kvorum-0", "kvorum-2", "kvorum-3", "kvorum-4"),
            List.of("kvorum-0", "kvorum-2", "kvorum-3"),
            List.of("kvorum-0", "kvorum-1", "kvorum-2", "kvorum-3"),
            List.of("kvorum-0", "kvorum-1", "kvorum-2"));
    assertThat(preview(3).message()).isEqualTo("1 member joins and 2 members leave, one at a time");
  }

  @ParameterizedTest
  @CsvSource({"3, 5", "5, 3", "3, 9", "7, 4"})
  void foretellsTheMembersThatThePlannerMakes(int from, int to) {
    members(from, 1, 9);
    List<PlannedMember> foretold = preview(to).members();
    world.replicas = to;
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members())
        .extracting(member -> member.name() + " " + member.zone())
        .containsExactlyInAnyOrderElementsOf(
            foretold.stream().map(member -> member.name() + " " + member.zone()).toList());
    assertThat(preview(to).members())
        .as("it is what there is then")
        .allSatisfy(member -> assertThat(member.slotsNow()).isEqualTo(member.slots()));
    assertThat(preview(to).movedSlots()).isZero();
  }

  @Test
  void nothingMovesToTheSameNumber() {
    members(3, 1, 9);
    PlanStatus plan = preview(3);
    assertThat(plan.message()).isEqualTo("no member joins or leaves");
    assertThat(plan.roughDuration()).isEqualTo("0m");
  }

  @Test
  void fewerMembersThanCopiesDoNotFit() {
    born();
    PlanStatus plan = preview(2);
    assertThat(plan.fits()).isFalse();
    assertThat(plan.reason()).isEqualTo(Reason.REPLICAS_BELOW_REPLICATION.label());
    assertThat(plan.members()).isEmpty();
    assertThat(plan.losses()).isNotEmpty();
  }

  @Test
  void membersThatStayNeedRoom() {
    members(5, 6, 9);
    assertThat(preview(4).fits()).isTrue();
    world.node(3).diskFree = OptionalLong.of(1);
    PlanStatus plan = preview(4);
    assertThat(plan.fits()).isFalse();
    assertThat(plan.reason()).isEqualTo(Reason.DISK_TOO_SMALL.label());
    assertThat(plan.message()).contains("does not fit on kvorum-3; raise storage.size");
  }

  @Test
  void newMembersNeedRoomForWhatTheyHoldMeanwhile() {
    members(3, 8, 9);
    world.node(3).place = new Place("machine-3", "zone-0");
    assertThat(preview(4).fits()).as("4 GiB and as much again for half of them").isTrue();
    world.sizeGib = 5;
    assertThat(preview(4).message()).contains("does not fit on kvorum-3");
  }

  @Test
  void withoutSizesItIsUnknownWhetherItFits() {
    members(3, 8, 9);
    world.node(1).data = OptionalLong.empty();
    PlanStatus plan = preview(5);
    assertThat(plan.fits()).isNull();
    assertThat(plan.roughDuration()).isNull();
    assertThat(plan.message()).endsWith("; not all members report the size of their data");
    assertThat(plan.members()).extracting(PlannedMember::roughSize).containsOnlyNulls();
  }

  @Test
  void waitsForTheEndOfAChange() {
    born();
    assertThat(preview(4).reason()).isNull();
    world.replicas = 4;
    world.apply(new Step.NextEpoch(until(EpochChange.AnnounceJoining.class)));
    PlanStatus plan = preview(5);
    assertThat(plan.reason()).isEqualTo(Reason.JOINING.label());
    assertThat(plan.fits()).isNull();
    assertThat(plan.losses()).isEmpty();
  }

  @Test
  void thereIsNoPlanBeforeTheFirstTopology() {
    assertThat(preview(5).reason()).isEqualTo(Reason.FOUNDING.label());
  }

  @Test
  void namesAZoneThatNewMembersMayGet() {
    born();
    world.spare = new SpareDomains(false, true);
    assertThat(preview(4).message()).contains("; a zone without members may get some");
    assertThat(preview(3).message()).doesNotContain("a zone without");
  }

  @Test
  void oneZoneOfThreeTakesNoQuorum() {
    born();
    assertThat(preview(5).losses())
        .containsExactly(
            new LossStatus("zone-0", null, 1, "0%"),
            new LossStatus("zone-1", null, 1, "0%"),
            new LossStatus("zone-2", null, 1, "0%"),
            new LossStatus(null, "machine-0", 1, "0%"),
            new LossStatus(null, "machine-1", 1, "0%"),
            new LossStatus(null, "machine-2", 1, "0%"));
  }

  @Test
  void ofTwoZonesEachHasTwoCopiesOfHalfTheSlots() {
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      world.node(ordinal).place = new Place("shared-" + ordinal / 3, "zone-" + ordinal % 2);
    }
    members(4, 1, 9);
    assertThat(preview(4).losses())
        .containsExactly(
            new LossStatus("zone-0", null, 2, "50%"),
            new LossStatus("zone-1", null, 2, "50%"),
            new LossStatus(null, "shared-0", 3, "100%"),
            new LossStatus(null, "shared-1", 1, "0%"));
  }

  @Test
  void theWorstTenOfEachKindAreListed() {
    for (int ordinal = 0; ordinal < 12; ordinal++) {
      world.node(ordinal).place = new Place("m-" + ordinal % 11, "z-" + ordinal % 11);
    }
    members(12, 1, 9);
    List<LossStatus> losses = preview(12).losses();
    assertThat(losses).hasSize(20);
    assertThat(losses.get(10).host()).as("two members").isEqualTo("m-0");
  }

  @Test
  void ninetyNineMembersArePlannedOnce() {
    members(3, 1, 9);
    assertThat(preview(99).members()).hasSize(99);
    assertThat(preview(99).members().stream().mapToInt(PlannedMember::slots).sum())
        .isEqualTo(3 * 4096);
  }

  @ParameterizedTest
  @CsvSource({"0, 0m", "48, 1m", "480, 8m", "7141, 2h", "7300, 3h", "172800, 2d", "200000, 3d"})
  void durationsHaveOneUnit(double seconds, String text) {
    assertThat(ScalePreview.duration(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0%", "1, <1%", "1365, 33%", "4095, >99%", "4096, 100%"})
  void sharesAreWholeOnlyIfTheyAre(int slots, String text) {
    assertThat(FailureForecast.share(slots)).isEqualTo(text);
  }
}
