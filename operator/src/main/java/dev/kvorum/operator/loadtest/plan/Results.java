package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadErrors;
import dev.kvorum.operator.api.LoadResult;
import dev.kvorum.operator.api.LoadSummary;
import dev.kvorum.operator.loadtest.observe.ResultReader;
import dev.kvorum.operator.view.JobView;
import java.util.List;

/** Builds the result of a rate for the status. */
final class Results {
  private Results() {}

  static LoadResult of(int step, ResultReader.Measured it, JobView.Succeeded done) {
    LoadErrors errors = it.errors();
    LoadSummary summary =
        new LoadSummary(
            it.offered(),
            Wrk2Units.perSecond(it.requests(), it.seconds()),
            Wrk2Units.time(it.latencyMicros().getOrDefault("50", Double.NaN)),
            Wrk2Units.time(it.latencyMicros().getOrDefault("99", Double.NaN)),
            Wrk2Units.time(it.latencyMicros().getOrDefault("99.9", Double.NaN)),
            errors.total());
    return new LoadResult(
        step,
        summary,
        done.startedAt().orElse(null),
        done.endedAt().orElse(null),
        it.offered(),
        it.achieved(),
        it.seconds(),
        it.connections(),
        it.threads(),
        it.requests(),
        it.bytes(),
        it.notFound(),
        it.latencyMicros(),
        errors,
        List.copyOf(it.spectrum()));
  }
}
