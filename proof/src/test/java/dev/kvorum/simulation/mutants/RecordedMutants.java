package dev.kvorum.simulation.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.QuietLogs;
import java.util.OptionalLong;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the tests: the simulation must detect each deliberate defect. Only the recorded seed of
 * each is played; {@link Hunts} finds new ones after a change of the profiles.
 */
@ExtendWith(QuietLogs.class)
abstract class RecordedMutants {
  private static final CatchingSeeds SEEDS = CatchingSeeds.read();

  /** The test class has a static method that lists them. */
  @ParameterizedTest
  @MethodSource("mutants")
  void isCaught(Defect mutant) {
    OptionalLong seed = SEEDS.of(mutant);
    assertThat(seed).as("the seed that catches it; run make mutants to find one").isPresent();
    Hunt hunt = Hunt.of(mutant, seed.getAsLong(), 1);
    System.out.println(hunt);
    assertThat(hunt.seed())
        .as("the first seed from the recorded one on that can show it; run make mutants")
        .isEqualTo(seed.getAsLong());
    assertThat(hunt.caught())
        .as("what seed %d violates; run make mutants to find another one", seed.getAsLong())
        .isNotEmpty();
  }
}
