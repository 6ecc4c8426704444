package dev.kvorum.operator.loadtest.report;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What is told as an Event: where a load test has come to, and what is newly amiss. */
public final class LoadEvents {
  private LoadEvents() {}

  /** The Event of a status that was just written, if there is one. */
  public static Optional<Event> of(
      KvorumLoadTest test, LoadObserved there, LoadStep step, KvorumLoadTestStatus after) {
    LoadWords.Notice why = LoadWords.of(there, step, after);
    return switch (step) {
      case LoadStep.Begin _, LoadStep.Filled _, LoadStep.Measured _, LoadStep.Complete _ ->
          Optional.of(event(test, "Normal", why, there.now()));
      case LoadStep.Fail _ -> Optional.of(event(test, "Warning", why, there.now()));
      case LoadStep.Wait wait ->
          wait.trouble() && !said(there.status(), why.reason().word())
              ? Optional.of(event(test, "Warning", why, there.now()))
              : Optional.empty();
      case LoadStep.PutScripts _,
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

  private static Event event(KvorumLoadTest test, String type, LoadWords.Notice why, Instant now) {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    String name = test.getMetadata().getName();
    String unique =
        Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
            + Integer.toHexString((why.reason().word() + why.message()).hashCode());
    return new EventBuilder()
        .withNewMetadata()
        .withName(name + "." + unique)
        .withNamespace(test.getMetadata().getNamespace())
        .endMetadata()
        .withType(type)
        .withReason(why.reason().word())
        .withMessage(why.message())
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1)
        .withReportingComponent("kvorum.dev/operator")
        .withReportingInstance("kvorum-operator")
        .withNewSource()
        .withComponent("kvorum-operator")
        .endSource()
        .withNewInvolvedObject()
        .withApiVersion(test.getApiVersion())
        .withKind(test.getKind())
        .withName(name)
        .withNamespace(test.getMetadata().getNamespace())
        .withUid(test.getMetadata().getUid())
        .endInvolvedObject()
        .build();
  }
}
