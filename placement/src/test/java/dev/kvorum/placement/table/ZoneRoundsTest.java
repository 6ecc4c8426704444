package dev.kvorum.placement.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZoneRoundsTest {
  @Test
  void eachRoundHasTheZonesThatHaveMembersLeft() {
    ZoneRounds rounds = new ZoneRounds(new int[] {3, 1, 2});

    assertThat(IntStream.range(0, 6).map(rounds::roundOf)).containsExactly(0, 0, 0, 1, 1, 2);
    assertThat(IntStream.range(0, 6).filter(rounds::endsAt)).containsExactly(2, 4, 5);
    assertThat(IntStream.rangeClosed(0, 3).map(rounds::start)).containsExactly(0, 3, 5, 6);
  }

  @Test
  void equalZonesShareEqually() {
    assertThat(new ZoneRounds(new int[] {2, 2, 2}).fairShares(2))
        .containsExactly(new double[] {4096 / 3.0, 4096 / 3.0, 4096 / 3.0}, within(0.001));
  }

  @Test
  void firstPlacesGoByMembers() {
    assertThat(new ZoneRounds(new int[] {3, 1}).fairShares(1))
        .containsExactly(new double[] {1024, 1024}, within(0.001));
  }

  @Test
  void zoneHoldsNoMoreThanOneCopyPerRound() {
    // Three of four members are in one zone, but of two copies it may hold one only.
    assertThat(new ZoneRounds(new int[] {3, 1}).fairShares(2))
        .containsExactly(new double[] {4096 / 3.0, 4096}, within(0.001));
  }

  @Test
  void allMembersHoldEverySlotAtLast() {
    assertThat(new ZoneRounds(new int[] {3, 1}).fairShares(4))
        .containsExactly(new double[] {4096, 4096}, within(0.001));
  }
}
