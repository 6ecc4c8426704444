package dev.kvorum.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.placement.table.ZoneRounds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How evenly members are loaded, and how little moves when one joins. */
class BalanceTest {
  private static final int MEMBERS_MAX = 50;

  /** All that are usual, and some beyond: a map of 50 takes as long as those up to 10 together. */
  private static final List<Integer> SIZES =
      Stream.concat(IntStream.rangeClosed(2, 17).boxed(), Stream.of(24, 32, 33, MEMBERS_MAX))
          .toList();

  /** Shares of first places are complete slots next to the fair share, for any zones. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void numberedClusterIsBalancedAndItsNextMemberTakesItsShareOnly(int zones) {
    for (int members : SIZES) {
      List<Member> cluster = Clusters.numbered(members, zones);
      SlotMap map = SlotMap.of(cluster);

      assertBalanced(map, cluster, zones == 0 ? 0 : 0.04, "numbered");
      SlotMap before = SlotMap.of(cluster.subList(0, members - 1));
      assertOnlyTheLastGains(before, map, cluster, "numbered");
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0.0, 71", "3, 0.08, 72", "2, 0.08, 73"})
  void randomClusterIsBalancedAndItsLastMemberTakesItsShareOnly(
      int zones, double slack, long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 8; round++) {
      int members = Math.max(zones, 2 + random.nextInt(MEMBERS_MAX - 1));
      List<Member> cluster = Clusters.random(members, zones, random);
      SlotMap map = SlotMap.of(cluster);
      String context = "seed " + seed + " round " + round;

      assertBalanced(map, cluster, slack, context);
      SlotMap before = SlotMap.of(cluster.subList(0, members - 1));
      assertOnlyTheLastGains(before, map, cluster, context);
    }
  }

  @Test
  void withoutZonesEveryNumberOfCopiesIsBalanced() {
    List<Member> cluster = Clusters.numbered(20, 0);
    SlotMap map = SlotMap.of(cluster);
    for (int from = 1; from <= 20; from++) {
      double fair = Slots.COUNT * from / 20.0;
      assertThat(Clusters.held(map, from).values()).allMatch(held -> Math.abs(held - fair) < 1);
    }
  }

  /**
   * A name that belongs between others changes the order of joining: more moves than has to. The
   * bounds are what a small cluster was measured to do.
   */
  @ParameterizedTest
  @CsvSource({"3, 0, 1.1", "4, 0, 1.1", "6, 0, 1.2", "10, 0, 1.4", "6, 3, 2.5"})
  void memberBetweenOthersMovesMore(int members, int zones, double bound) {
    List<Member> cluster = Clusters.numbered(members, zones);
    SlotMap map = SlotMap.of(cluster);
    for (Member joining : cluster) {
      List<Member> others = cluster.stream().filter(m -> !m.equals(joining)).toList();
      SlotMap before = SlotMap.of(others);
      for (int from = 1; from <= Math.min(3, members - 1); from++) {
        double ideal = (double) Slots.COUNT * from / members;
        assertThat(Clusters.moved(before, map, from) / ideal)
            .as("%s joins, from %d", joining.id(), from)
            .isLessThan(bound);
      }
    }
  }

  /**
   * Every member holds its fair share of first places, rounded, and of two and three copies within
   * {@code slack}.
   */
  private static void assertBalanced(
      SlotMap map, List<Member> cluster, double slack, String context) {
    Map<String, Long> sizes =
        cluster.stream().collect(Collectors.groupingBy(Member::zone, Collectors.counting()));
    List<String> zones = List.copyOf(sizes.keySet());
    ToIntFunction<String> size = zone -> sizes.getOrDefault(zone, 0L).intValue();
    ZoneRounds rounds = new ZoneRounds(zones.stream().mapToInt(size).toArray());
    for (int from = 1; from <= Math.min(3, cluster.size()); from++) {
      double[] shares = rounds.fairShares(from);
      Map<MemberId, Integer> held = Clusters.held(map, from);
      for (Member member : cluster) {
        double fair = shares[zones.indexOf(member.zone())];
        double allowed = from == 1 ? 1 : 1 + fair * slack;
        assertThat(Math.abs(held.getOrDefault(member.id(), 0) - fair))
            .as("%s: %s of %d, from %d", context, member.id(), cluster.size(), from)
            .isLessThan(allowed);
      }
    }
  }

  private static void assertOnlyTheLastGains(
      SlotMap before, SlotMap after, List<Member> cluster, String context) {
    for (int from = 1; from <= Math.min(3, cluster.size() - 1); from++) {
      int moved = Clusters.moved(before, after, from);
      double ideal = (double) Slots.COUNT * from / cluster.size();

      assertThat(moved).isPositive();
      assertThat(Clusters.held(after, from).get(cluster.getLast().id()))
          .as("%s: what moved is what the last of %d holds", context, cluster.size())
          .isEqualTo(moved);
      assertThat(moved / ideal).as("%s: %d members", context, cluster.size()).isLessThan(1.1);
    }
  }
}
