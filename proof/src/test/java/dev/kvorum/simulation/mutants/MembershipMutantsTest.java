package dev.kvorum.simulation.mutants;

import java.util.List;

/** Mutants of membership changes, rebuilds and the removal of tombstones. */
class MembershipMutantsTest extends RecordedMutants {
  static List<Defect> mutants() {
    return Hunts.mutantsOfMembership();
  }
}
