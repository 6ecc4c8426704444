package dev.kvorum.operator.loadtest.report;

import dev.kvorum.operator.api.EventDraft;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** Selects what is published as Events: the progress of a load test, and new problems. */
public final class LoadEvents {
  private LoadEvents() {}

  /** Returns the Event of a status that was just written; empty if there is none. */
  public static Optional<EventDraft> of(
      LoadObserved there, LoadStep step, KvorumLoadTestStatus after) {
    LoadMessages.Notice why = LoadMessages.of(there, step, after);
    return switch (step) {
      case LoadStep.Begin _, LoadStep.Filled _, LoadStep.Measured _, LoadStep.Complete _ ->
          Optional.of(normal(why));
      case LoadStep.Fail _ -> Optional.of(warning(why));
      case LoadStep.Wait wait ->
          wait.trouble() && !said(there.status(), why.reason().label())
              ? Optional.of(warning(why))
              : Optional.empty();
      case LoadStep.PutScripts _,
          LoadStep.CreateUser _,
          LoadStep.CreateFill _,
          LoadStep.CreateJob _,
          LoadStep.RemoveJob _,
          LoadStep.Rest _ ->
          Optional.empty();
    };
  }

  private static boolean said(KvorumLoadTestStatus before, String reason) {
    return LoadStatusReport.condition(before, "Progressing")
        .map(Condition::getReason)
        .filter(reason::equals)
        .isPresent();
  }

  private static EventDraft normal(LoadMessages.Notice why) {
    return EventDraft.normal(why.reason().label(), why.message());
  }

  private static EventDraft warning(LoadMessages.Notice why) {
    return EventDraft.warning(why.reason().label(), why.message());
  }
}
