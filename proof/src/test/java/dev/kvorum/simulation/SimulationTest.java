package dev.kvorum.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.simulation.Simulation.Report;
import dev.kvorum.simulation.cluster.Breakage;
import dev.kvorum.simulation.operators.PlannedOperator;
import dev.kvorum.simulation.run.Profile;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(QuietLogs.class)
class SimulationTest {
  private static final int SEEDS = 100;

  @Test
  void noInvariantIsViolated() {
    long first = Seeds.seed();
    Tally tally = Tally.play(first, SEEDS, seed -> true, Long.MAX_VALUE, 2, false);
    System.out.println(tally);
    assertThat(tally.failures()).isEmpty();
    assertThat(Coverage.unseenOfCommon(tally)).isEmpty();
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
