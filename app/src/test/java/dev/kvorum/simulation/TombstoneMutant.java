package dev.kvorum.simulation;

import java.util.List;

/** Rules of ADR 0009 for the end of tombstones, broken one by one. */
enum TombstoneMutant implements Breakage {
  NOBODY_MISSES_REMOVALS(Patch.returns("repair.Pull", "hasMissed", false)),
  DOES_NOT_HEAR_WHO_PULLS(Patch.skips("repair.TombstoneReaper", "heard"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  TombstoneMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.trouble() == Profile.Trouble.ROUGH;
  }
}
