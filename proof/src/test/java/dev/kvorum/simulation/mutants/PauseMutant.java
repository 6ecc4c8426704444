package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ADR 0014 for writes that waited while a process was paused, broken one by one. */
enum PauseMutant implements Defect {
  TAKES_OLD_REQUESTS(Patch.returns("coordinator.PauseDetector", "mayBeOld", false)),
  STAMPS_AGAIN_PAST_THE_DEADLINE(
      Patch.redirects(
          "coordinator.WriteOperation", "retryAbove", "getAsLong", BrokenRules.class, "anHourAgo"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  PauseMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.bias() == Bias.PAUSES;
  }
}
