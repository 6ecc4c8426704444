package dev.kvorum.simulation.mutants;

import java.util.List;

/** Rules of ADR 0042, what a backup has, broken one by one. */
enum BackupMutant implements Defect {
  A_MEMBER_THAT_LACKS_RECORDS_COUNTS(
      Patch.returns("backup.manifest.MemberManifest", "votes", true)),
  A_MINORITY_COVERS(Patch.returns("backup.manifest.Coverage", "hasMajority", true)),
  TABLES_ARE_READ_ONE_BY_ONE(
      Patch.redirects(
          "simulation.storage.SimEngine",
          "checkpoint",
          "checkpoint",
          BrokenRules.class,
          "copyTableByTable"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  BackupMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }
}
