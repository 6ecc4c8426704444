package dev.kvorum.simulation.mutants;

/** Rules of the streams of a rebuild (ADR 0009), for {@link UnitMutant}. */
final class Streams {
  static final String TEST = "repair.rebuild.StreamQueueTest";
  static final String MAXIMUM = "noMoreThanTheMaximumRun";
  static final String LAST = "oneThatPausesIsLastAndTheOthersContinue";
  static final String STOPPED = "stopsAllThatRunAndStartsNoOther";
  static final String NOT_NEEDED = "oneThatIsNotNeededAnyMoreDoesNotCountForTheNextStore";
  static final String STREAM = "repair.rebuild.RebuildStreamTest";
  static final String PAGE = "nothingMoreOfItsPageIsStoredOnceItIsStopped";
  private static final String QUEUE = "repair.rebuild.StreamQueue";

  private Streams() {}

  static Patch runsAll() {
    return Patch.answers(QUEUE, "fill", "size", 0);
  }

  /** As if they were complete. */
  static Patch forgetsPaused() {
    return Patch.omits(QUEUE, "onPaused", "resumeLater");
  }

  static Patch forgetsRunning() {
    return Patch.omits(QUEUE, "stop", "forEach");
  }

  static Patch runsOn() {
    return Patch.omits("repair.rebuild.Rebuild", "finish", "stop");
  }

  static Patch ignoresStops() {
    return Patch.skips("repair.rebuild.RebuildStream", "stop");
  }
}
