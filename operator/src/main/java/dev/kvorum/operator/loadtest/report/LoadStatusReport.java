package dev.kvorum.operator.loadtest.report;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.api.LoadReason;
import dev.kvorum.operator.api.LoadResult;
import dev.kvorum.operator.api.LoadSummary;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.loadtest.plan.Knee;
import dev.kvorum.operator.loadtest.plan.LoadStep;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Derives a load test's status from the observed state and the next step. The same input gives the
 * same status: the time of a condition changes only with its value.
 */
public final class LoadStatusReport {
  private static final Set<LoadReason> BOUNDED =
      Set.of(
          LoadReason.TARGET_MISSING,
          LoadReason.TARGET_NOT_READY,
          LoadReason.FOREIGN_USER,
          LoadReason.USER_NOT_READY);

  private LoadStatusReport() {}

  /** Returns the new status. */
  public static KvorumLoadTestStatus of(LoadObserved there, LoadStep step, long generation) {
    KvorumLoadTestStatus before = there.status();
    if (step instanceof LoadStep.RemoveJob || step instanceof LoadStep.Rest) {
      return before;
    }
    LoadTestPhase phase = LoadMessages.phase(there, step);
    boolean begins = step instanceof LoadStep.Begin;
    List<LoadResult> results = new ArrayList<>(before.results());
    if (step instanceof LoadStep.Measured it) {
      results.add(it.result());
    }
    KvorumLoadTestStatus after =
        new KvorumLoadTestStatus(
            generation,
            phase,
            begins ? now(there) : before.startedAt(),
            phase.ended() ? now(there) : before.endedAt(),
            isBounded(step) ? requireNonNullElse(before.waitingSince(), now(there)) : null,
            step instanceof LoadStep.Begin begin ? begin.clusterId() : before.clusterId(),
            before.filled() || step instanceof LoadStep.Filled,
            latest(results).orElse(before.latest()),
            step instanceof LoadStep.Complete ? knee(there).orElse(null) : before.knee(),
            results,
            before.conditions());
    return conditions(there, step, after, generation);
  }

  /** Whether a step is one of the waits that {@code waitMax} ends. */
  private static boolean isBounded(LoadStep step) {
    return step instanceof LoadStep.Wait wait && BOUNDED.contains(wait.reason());
  }

  private static Optional<LoadSummary> latest(List<LoadResult> results) {
    return results.isEmpty() ? Optional.empty() : Optional.of(results.getLast().summary());
  }

  private static Optional<Long> knee(LoadObserved there) {
    return Knee.of(there.status().results(), Durations.micros(there.spec().p99Max()));
  }

  private static KvorumLoadTestStatus conditions(
      LoadObserved there, LoadStep step, KvorumLoadTestStatus status, long generation) {
    LoadMessages.Notice why = LoadMessages.of(there, step, status);
    boolean goesOn =
        status.started()
            && !status.ended()
            && !(step instanceof LoadStep.Wait wait && wait.trouble());
    return new KvorumLoadTestStatus(
        status.observedGeneration(),
        status.phase(),
        status.startedAt(),
        status.endedAt(),
        status.waitingSince(),
        status.clusterId(),
        status.filled(),
        status.latest(),
        status.knee(),
        status.results(),
        List.of(
            condition(there, generation, "Progressing", goesOn, why),
            condition(there, generation, "Complete", status.phase() == LoadTestPhase.COMPLETE, why),
            condition(there, generation, "Failed", status.phase() == LoadTestPhase.FAILED, why),
            condition(there, generation, "Ready", status.phase() == LoadTestPhase.COMPLETE, why),
            condition(there, generation, Conditions.RECONCILING, !status.ended(), why),
            condition(
                there,
                generation,
                Conditions.STALLED,
                status.phase() == LoadTestPhase.FAILED,
                why)));
  }

  private static String now(LoadObserved there) {
    return there.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static Condition condition(
      LoadObserved there, long generation, String type, boolean holds, LoadMessages.Notice why) {
    return Conditions.next(
            there.status().conditions(),
            type,
            holds,
            why.reason().label(),
            why.message(),
            there.now())
        .withObservedGeneration(generation)
        .build();
  }

  /** Returns the condition of a type; empty if the status has none. */
  public static Optional<Condition> condition(KvorumLoadTestStatus status, String type) {
    return Conditions.find(status.conditions(), type);
  }
}
