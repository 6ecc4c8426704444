package dev.kvorum.simulation;

import dev.kvorum.placement.BrokenPlans;
import java.util.List;

/** Rules of ADR 0011 for changes of the members, broken one by one. */
enum MembersMutant implements Breakage {
  WRITES_TO_THE_OLD_SET_ALONE(
      Patch.redirects("placement.Layout$Plans", "write", "of", BrokenPlans.class, "old")),
  WRITES_TO_THE_NEW_SET_ALONE(
      Patch.redirects("placement.Layout$Plans", "write", "of", BrokenPlans.class, "next")),
  COPIES_FROM_ONE_SOURCE(
      Patch.redirects("rebalance.Transfer", "<init>", "toList", BrokenRules.class, "first")),
  KEEPS_LEFTOVERS(Patch.answers("rebalance.Clearing", "start", "epoch", 1L)),
  /** Seldom seen where members change all the time: the next change clears what was taken. */
  TAKES_WHAT_OTHERS_KEEP(
      Patch.answers("background.Adoption", "adopt", "keeps", true),
      Patch.answers("repair.MismatchRepair$Attempt", "on", "keeps", true)) {
    @Override
    public boolean canShowIn(Profile profile) {
      return profile.changes();
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  MembersMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.bias() == Bias.MEMBERS;
  }
}
