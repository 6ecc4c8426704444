package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ADR 0009 for the end of tombstones, broken one by one. */
enum TombstoneMutant implements Defect {
  IGNORES_LATE_ARRIVALS(Patch.skips("repair.antientropy.PeerWatermarks", "late")),
  NEVER_MISSES_PURGES(Patch.returns("replica.RepairReply$Status", "hasPurgedSince", false)),
  LEAVES_BEHIND_WITHOUT_ASKING(
      Patch.returns("repair.antientropy.CompletePeersCheck", "areComplete", true)),
  REMOVES_WITH_TWO_AWAY(Patch.returns("repair.antientropy.TombstonePurger", "mustReset", false));

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
    // Scenes of five members lose no disks.
    boolean losesDisks = profile.members() == 3;
    return profile.bias() == Bias.TOMBSTONES
        && (losesDisks || this != LEAVES_BEHIND_WITHOUT_ASKING);
  }
}
