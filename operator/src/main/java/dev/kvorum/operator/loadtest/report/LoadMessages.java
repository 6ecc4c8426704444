package dev.kvorum.operator.loadtest.report;

import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadSummary;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.plan.Knee;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import java.util.OptionalLong;

/** Describes the steps of a load test for users, as reason, message and phase. */
final class LoadMessages {
  private LoadMessages() {}

  /** A reason and its sentence. */
  record Notice(LoadReason reason, String message) {}

  static Notice of(LoadObserved there, LoadStep step, KvorumLoadTestStatus after) {
    return switch (step) {
      case LoadStep.Begin _ ->
          new Notice(
              LoadReason.STARTED, "starts to offer load to cluster " + there.spec().cluster());
      case LoadStep.PutScripts _ -> new Notice(LoadReason.WRITING_SCRIPTS, "writes the scripts");
      case LoadStep.CreateUser create ->
          new Notice(LoadReason.CREATING_USER, "creates KvorumUser " + create.name());
      case LoadStep.CreateFill create ->
          new Notice(LoadReason.FILLING, filling(there, create.attempt()));
      case LoadStep.Filled filled -> new Notice(LoadReason.FILLED, filled.message());
      case LoadStep.CreateJob create ->
          new Notice(LoadReason.OFFERING, "offers " + create.rate() + "/s");
      case LoadStep.Measured it -> new Notice(LoadReason.MEASURED, measured(it.result().summary()));
      case LoadStep.Complete _ -> new Notice(LoadReason.COMPLETE, complete(there, after));
      case LoadStep.Fail fail -> new Notice(fail.reason(), fail.message());
      case LoadStep.RemoveJob remove ->
          new Notice(LoadReason.DELETING, "removes Job " + remove.job());
      case LoadStep.Wait wait -> new Notice(wait.reason(), wait.message());
      case LoadStep.Rest _ -> new Notice(LoadReason.DELETING, "is terminating");
    };
  }

  private static String filling(LoadObserved there, int attempt) {
    String keys = "writes " + there.spec().keys() + " keys";
    return attempt == 0 ? keys : keys + " again, since some were left out";
  }

  private static String measured(LoadSummary summary) {
    return "offered "
        + summary.rate()
        + "/s, achieved "
        + summary.achieved()
        + "/s, p50 "
        + summary.p50()
        + ", p99 "
        + summary.p99()
        + ", p99.9 "
        + summary.p999()
        + ", "
        + summary.errors()
        + " errors";
  }

  private static String complete(LoadObserved there, KvorumLoadTestStatus after) {
    int rates = there.spec().rates().size();
    String all =
        rates == 1 ? "its rate has been measured" : "all " + rates + " rates have been measured";
    String bound = "p99 within " + there.spec().p99Max();
    if (after.knee() != null) {
      return all + "; up to " + after.knee() + "/s were met with " + bound;
    }
    OptionalLong met = Knee.highestMet(after.results(), Durations.micros(there.spec().p99Max()));
    return all
        + (met.isEmpty()
            ? "; none was met with " + bound
            : "; "
                + met.getAsLong()
                + "/s were met with "
                + bound
                + ", and no higher rate was too much: offer more to find the knee");
  }

  static LoadTestPhase phase(LoadObserved there, LoadStep step) {
    return switch (step) {
      case LoadStep.Complete _ -> LoadTestPhase.COMPLETE;
      case LoadStep.Fail _ -> LoadTestPhase.FAILED;
      case LoadStep.RemoveJob _, LoadStep.Rest _ ->
          there.status().phase() == null ? LoadTestPhase.WAITING : there.status().phase();
      case LoadStep.Filled _, LoadStep.CreateJob _, LoadStep.Measured _ -> LoadTestPhase.RUNNING;
      case LoadStep.CreateFill _ -> LoadTestPhase.FILLING;
      case LoadStep.Begin _, LoadStep.PutScripts _, LoadStep.CreateUser _, LoadStep.Wait _ ->
          begun(there, step);
    };
  }

  private static LoadTestPhase begun(LoadObserved there, LoadStep step) {
    if (!there.status().started() && !(step instanceof LoadStep.Begin)) {
      return LoadTestPhase.WAITING;
    }
    return there.mustFill() && !there.status().filled()
        ? LoadTestPhase.FILLING
        : LoadTestPhase.RUNNING;
  }
}
