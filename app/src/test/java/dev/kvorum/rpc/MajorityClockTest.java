package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.rpc.MajorityClock.Reading;
import dev.kvorum.seeds.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MajorityClockTest {
  private static final long MONOTONE = 1000;

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  /** Counts: the latest time that a majority of clocks show, where enough are known. */
  private static long naive(int members, long own, List<Long> others) {
    List<Long> all = new ArrayList<>(others);
    all.add(own);
    all.sort(Comparator.reverseOrder());
    return all.get(members / 2);
  }

  @Test
  void goesByItsOwnClockWhereTheOthersContradictEachOtherAndNoneIsToSpare() {
    long day = 86_400_000;
    List<Reading> apart = List.of(new Reading(-day, -day), new Reading(0, 0));
    assertThat(MajorityClock.of(3, apart).corrected(10, 0, 500)).isEqualTo(10);
    // With one more, the wrong one is outvoted; and two that agree outvote the own clock.
    List<Reading> more = List.of(new Reading(-day, -day), new Reading(0, 0), new Reading(5, 5));
    assertThat(MajorityClock.of(3, more).corrected(day, 0, 500)).isBetween(0L, 5L);
    List<Reading> agreed = List.of(new Reading(0, 0), new Reading(5, 5));
    assertThat(MajorityClock.of(3, agreed).corrected(day, 0, 500)).isBetween(0L, 5L);
  }

  @Test
  void agreesWithACountOfClocks() {
    for (int round = 0; round < 5000; round++) {
      int members = 1 + random.nextInt(7);
      int known = random.nextInt(members);
      long own = random.nextLong(2000);
      List<Long> others = random.longs(known, 0, 2000).boxed().toList();
      List<Reading> readings =
          others.stream().map(now -> new Reading(now - MONOTONE, now - MONOTONE)).toList();
      MajorityClock clock = MajorityClock.of(members - 1, readings);
      if (known + 1 <= members / 2) {
        assertThat(clock.isKnown()).as("seed %d", seed).isFalse();
      } else {
        assertThat(clock.reached(own, MONOTONE).orElseThrow())
            .as("seed %d: %d members, %d and %s", seed, members, own, others)
            .isEqualTo(naive(members, own, others));
      }
    }
  }

  @Test
  void isNeverBeyondAllRightClocksWhileAMinorityIsWrong() {
    for (int round = 0; round < 5000; round++) {
      int members = 3 + random.nextInt(5);
      int wrong = random.nextInt((members - 1) / 2 + 1);
      List<Long> clocks = new ArrayList<>();
      for (int i = 0; i < members; i++) {
        clocks.add(i < wrong ? random.nextLong(1L << 40) : 500_000 + random.nextLong(240));
      }
      int own = random.nextInt(members);
      List<Reading> readings = new ArrayList<>();
      for (int i = 0; i < members; i++) {
        if (i != own && random.nextInt(4) > 0) {
          readings.add(
              new Reading(
                  clocks.get(i) - random.nextLong(50), clocks.get(i) + random.nextLong(50)));
        }
      }
      MajorityClock.of(members - 1, readings)
          .reached(clocks.get(own), 0)
          .ifPresent(now -> assertThat(now).as("seed %d", seed).isLessThan(500_240));
    }
  }
}
