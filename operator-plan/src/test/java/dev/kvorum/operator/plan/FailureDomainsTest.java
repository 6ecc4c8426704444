package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.SpareDomains;
import java.util.Optional;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;

/** Which machines and zones have too many members. */
class FailureDomainsTest extends Planned {
  private static final SpareDomains ALL = new SpareDomains(true, true);

  /** Members run on these machines, by ordinal; the first letter of each names its zone. */
  private void on(String... machines) {
    world.replicas = machines.length;
    for (int ordinal = 0; ordinal < machines.length; ordinal++) {
      String machine = machines[ordinal];
      world.node(ordinal).place =
          new Place(machine, machine.startsWith("-") ? "" : machine.substring(0, 1));
    }
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
  }

  private Optional<Notice> crowded() {
    return FailureDomains.crowded(world.observe());
  }

  private AbstractStringAssert<?> assertCrowded(Reason reason) {
    assertThat(crowded()).map(Notice::reason).contains(reason);
    return assertThat(crowded().orElseThrow().message());
  }

  @Test
  void twoOfThreeMembersOnAMachineAreTooMany() {
    on("a1", "b1", "a1");
    assertCrowded(Reason.MEMBERS_SHARE_MACHINE)
        .isEqualTo(
            "kvorum-0, kvorum-2 run on machine a1: its failure leaves some records without a"
                + " quorum. No pod is moved for that: once another machine has room, restart one of"
                + " them (`kubectl delete pod kvorum-2`), which the scheduler places elsewhere if it"
                + " can");
    world.node(2).place = new Place("c1", "c");
    assertThat(crowded()).isEmpty();
  }

  @Test
  void aMinorityOfFiveCopiesMayShareAMachine() {
    world.replication = 5;
    on("a1", "a1", "b1", "b1", "c1");
    assertThat(crowded()).isEmpty();
    world.node(2).place = new Place("a1", "a");
    assertCrowded(Reason.MEMBERS_SHARE_MACHINE).startsWith("kvorum-0, kvorum-1, kvorum-2 run on");
  }

  @Test
  void bothOfTwoCopiesMayNotShareAMachine() {
    world.replication = 2;
    on("a1", "a1", "b1");
    assertCrowded(Reason.MEMBERS_SHARE_MACHINE);
  }

  @Test
  void theOnlyCopiesMayShareAMachine() {
    world.replication = 1;
    on("a1", "a1", "b1");
    world.spare = ALL;
    assertThat(crowded()).isEmpty();
  }

  @Test
  void onTheOnlyMachineNothingCanBeSpread() {
    on("a1", "a1", "a1");
    assertThat(crowded()).isEmpty();
    world.spare = ALL;
    assertCrowded(Reason.MEMBERS_SHARE_MACHINE).startsWith("kvorum-0, kvorum-1, kvorum-2 run on");
  }

  @Test
  void twoOfThreeCopiesInAZoneAreTooManyIfThereIsAnotherZone() {
    on("a1", "b1", "a2", "b2");
    assertThat(crowded()).as("there are no other zones").isEmpty();
    world.spare = ALL;
    assertCrowded(Reason.COPIES_SHARE_ZONE)
        .isEqualTo(
            "members run in zones a, b only, with up to 2 copies of a record in one of them, whose"
                + " failure leaves such records without a quorum; there are machines in other"
                + " zones");
    world.node(3).place = new Place("c1", "c");
    assertThat(crowded()).as("the third zone has one member, and a copy of each record").isEmpty();
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      world.node(ordinal).place = new Place("a" + ordinal, "a");
    }
    assertCrowded(Reason.COPIES_SHARE_ZONE)
        .startsWith("members run in zone a only, with up to 3 copies");
  }

  @Test
  void withoutZonesNoneIsCrowded() {
    on("-1", "-2", "-3");
    world.spare = ALL;
    assertThat(crowded()).isEmpty();
  }
}
