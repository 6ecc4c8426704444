package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.MembersLost;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Nodes that lose nothing, and do not do what they could. */
enum LivenessMutant implements Defect {
  /** Nor does the mark of its clock move, above which no version is given. */
  WAITS_FOR_A_LOST_MAJORITY(Patch.skips("node.ClockReservation", "stopWaiting"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  LivenessMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return MembersLost.isIn(profile);
  }
}
