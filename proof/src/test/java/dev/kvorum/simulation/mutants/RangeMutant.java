package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ranges over all members, broken one by one. */
enum RangeMutant implements Defect {
  ENDS_WITHOUT_A_MAJORITY(Patch.returns("coordinator.RangeVotes", "areEnough", true)),
  MERGES_IN_ASCENDING_ORDER_ONLY(
      Patch.redirects(
          "coordinator.RangeMerger", "nextKey", "isBefore", BrokenRules.class, "isSmaller"));

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Patch patch;

  RangeMutant(Patch patch) {
    this.patch = patch;
  }

  @Override
  public List<Patch> patches() {
    return List.of(patch);
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.members() == 3 && profile.trouble() == Profile.Trouble.ROUGH;
  }
}
