package dev.kvorum.simulation.mutants;

import dev.kvorum.storage.engine.BrokenVersions;

/** Rules of the version cache (ADR 0041), for {@link UnitMutant}. */
final class Versions {
  static final String CACHE = "storage.engine.VersionCache";
  static final String READS = "storage.engine.VersionReadsTest";
  static final String BESIDE = "areThoseInTheStoreWhileABatchIsWritten";
  static final String FAILED = "areThoseBeforeAWriteThatFailed";
  static final String TEST = "storage.engine.VersionCacheTest";
  static final String LATE = "addsNothingThatWasReadBeforeAChange";
  private static final String BATCH = "storage.engine.RecordBatch";

  private Versions() {}

  /** A batch calls this instead. */
  static Patch calls(String method, String called, String name) {
    return Patch.redirects(BATCH, method, called, BrokenVersions.class, name);
  }

  static Patch omits(String method, String called) {
    return Patch.omits(BATCH, method, called);
  }

  /** A reader takes each bucket for its own. */
  static Patch addsAnyway() {
    return Patch.answers(CACHE + "$Lookup", "add", "compareAndSet", true);
  }
}
