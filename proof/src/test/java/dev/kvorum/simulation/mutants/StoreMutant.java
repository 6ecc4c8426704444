package dev.kvorum.simulation.mutants;

import java.util.List;

/** Rules of the store's own classes, broken one by one. */
enum StoreMutant implements Defect {
  COMPARES_NO_STORED_VERSION(Patch.returns("storage.engine.NewestStamps", "isPassedBy", true)),
  IGNORES_THE_CEILING_OF_STAMPS(Patch.answers("storage.engine.NewestStamps", "<init>", "read", 0L)),
  RAISES_NO_CEILING(Patch.omits("storage.engine.NewestStamps", "add", "put")),
  KEEPS_OLD_VERSIONS_IN_MEMORY(Patch.omits("storage.engine.RecordBatch", "put", "change")),
  ANSWERS_BEFORE_THE_SYNC(
      Patch.redirects(
          "storage.engine.CommitBatch",
          "write",
          "writeSynced",
          BrokenRules.class,
          "writeUnsynced")),
  TAKES_A_FAILED_SCAN_FOR_THE_END(Patch.omits("storage.engine.RecordScan", "collect", "check")),
  NEVER_RELEASES_HINTS(Patch.skips("storage.engine.HintLedger", "release")),
  NEVER_OPENS_AGAIN(Patch.skips("storage.replace.IoErrorRecovery", "check"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  StoreMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }
}
