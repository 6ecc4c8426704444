package dev.kvorum.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the tests: the simulation must detect each deliberate defect. {@link RuleMutantsTest} has
 * the rest, so that two processes share the work.
 */
class MutantsTest {
  private static final long FIRST_SEED = 9000;
  private static final int RUNS_MAX = 1000;

  @BeforeAll
  static void quieten() {
    Simulate.quieten();
  }

  @ParameterizedTest
  @EnumSource
  void isCaught(Mutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfTheStoreIsCaught(StoreMutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfChecksumsIsCaught(ChecksumMutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfClocksIsCaught(ClockMutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfRangesIsCaught(RangeMutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfProcessesIsCaught(FenceMutant mutant) {
    hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfTheOperatorsPlannerIsCaught(PlannerMutant mutant) {
    hunt(mutant);
  }

  static void hunt(Breakage mutant) {
    Hunt hunt = Hunt.of(mutant, FIRST_SEED, RUNS_MAX);
    System.out.println(hunt);
    assertThat(hunt.caught()).as("%s within %d runs", mutant, RUNS_MAX).isNotEmpty();
  }
}
