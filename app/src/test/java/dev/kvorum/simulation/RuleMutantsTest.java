package dev.kvorum.simulation;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link MutantsTest} for broken rules of rebuilds, tombstones, pauses and membership changes. */
class RuleMutantsTest {
  @BeforeAll
  static void quieten() {
    Simulate.quieten();
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfRebuildsIsCaught(RebuildMutant mutant) {
    MutantsTest.hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfTombstonesIsCaught(TombstoneMutant mutant) {
    MutantsTest.hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfStandstillsIsCaught(StandstillMutant mutant) {
    MutantsTest.hunt(mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleOfChangesOfTheMembersIsCaught(MembersMutant mutant) {
    MutantsTest.hunt(mutant);
  }
}
