package dev.kvorum.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.simulation.Simulation.Report;
import dev.kvorum.simulation.cluster.Breakage;
import dev.kvorum.simulation.operators.PlannedOperator;
import dev.kvorum.simulation.run.Profile;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final int SEEDS = 500;
  private static final String[] OUTCOMES = {
    "Acknowledged", "Indeterminate", "Rejected", "Found", "NotFound", "Unanswered", "Scanned"
  };
  private static final String[] FAULTS = {
    "clock-jump",
    "clock-wrong",
    "clock-wrong-start",
    "clock-wrong-stopped",
    "cut-both-ways",
    "cut-one-way",
    "damaged-record",
    "duplicate-directory",
    "duplicate-process",
    "failing-disk",
    "foreign-epoch",
    "frame-lost",
    "frame-twice",
    "full-disk",
    "isolate",
    "kill",
    "loss",
    "long-absence",
    "lost-disk",
    "power-cut",
    "slow-disk",
    "slow-link",
    "stop"
  };
  private static final String[] CHANGES = {
    "cancelled",
    "changed",
    "join",
    "leave",
    "operator-killed",
    "restarted-pod",
    "scaled",
    "unchanged"
  };
  private static final String[] METERS = {
    "kvorum.writes.superseded",
    "kvorum.reads.repaired",
    "kvorum.reads.hedged",
    "kvorum.hints.kept",
    "kvorum.hints.delivered"
  };

  @BeforeAll
  static void quieten() {
    Simulate.quieten();
  }

  @Test
  void noInvariantIsViolated() {
    long first = Seeds.seed();
    Tally tally = Tally.play(first, SEEDS, Long.MAX_VALUE, 2, false);
    System.out.println(tally);
    assertThat(tally.failures()).isEmpty();
    assertThat(tally.outcomes()).containsKeys(OUTCOMES);
    assertThat(tally.faults()).containsKeys(FAULTS);
    assertThat(tally.changes()).containsKeys(CHANGES);
    assertThat(tally.meters()).containsKeys(METERS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theSameSeedTwiceIsTheSameRun(long seed) {
    Report once = Simulation.run(seed, Breakage.NONE, false);
    Report again = Simulation.run(seed, Breakage.NONE, false);
    assertThat(again.digest()).isEqualTo(once.digest());
    assertThat(Simulation.run(seed + 1, Breakage.NONE, false).digest()).isNotEqualTo(once.digest());
  }

  @Test
  void theSameSeedTwiceIsTheSameRunWhereThePlannerDecides() {
    theSameSeedTwiceIsTheSameRun(
        LongStream.iterate(7, seed -> seed + 1)
            .filter(seed -> PlannedOperator.isIn(Profile.of(seed)))
            .findFirst()
            .orElseThrow());
  }
}
