package dev.kvorum.operator.report;

import dev.kvorum.operator.api.EventDraft;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.Step;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Selects what is published as Events: actions on members, and new problems in a status. */
public final class Events {
  private Events() {}

  /** Returns the Event of a step; empty if the step does not matter to users. */
  public static Optional<EventDraft> of(Step step) {
    return switch (step) {
      case Step.CreateStatefulSet _,
          Step.CheckImage _,
          Step.OwnStatefulSet _,
          Step.UpdateStatefulSet _,
          Step.RollBack _,
          Step.RecreateStatefulSet _,
          Step.ScaleStatefulSet _,
          Step.BootstrapTopology _,
          Step.StartTask _,
          Step.NextEpoch _,
          Step.RemoveVolume _,
          Step.MarkLeftVolume _,
          Step.RemoveLeftVolume _,
          Step.RestartPod _,
          Step.RestoreTopology _,
          Step.RestoreBackup _,
          Step.EndRestore _,
          Step.ResizeVolume _ ->
          Optional.of(normal(StepMessages.of(step)));
      case Step.EndTask end -> {
        Notice why = StepMessages.of(step);
        yield Optional.of(
            end.complete() ? normal(why) : EventDraft.warning(why.reason().label(), why.message()));
      }
      case Step.Identify _,
          Step.PutObject _,
          Step.SealStatefulSet _,
          Step.MarkVolume _,
          Step.OwnVolume _,
          Step.MarkTopology _,
          Step.SaveTopology _,
          Step.CheckBackup _,
          Step.RemoveRestoreJob _,
          Step.CreateRestoreUser _,
          Step.RemoveRestoreUser _,
          Step.Wait _,
          Step.Reject _,
          Step.Rest _ ->
          Optional.empty();
    };
  }

  /** Returns warnings of rejections and problems that the previous status did not report. */
  public static List<EventDraft> news(
      KvorumClusterStatus before, KvorumClusterStatus after, Plan plan) {
    List<EventDraft> warnings = new ArrayList<>();
    if (plan.step() instanceof Step.Reject reject
        && !hasCondition(before, "Ready", reject.reason().label(), "False")) {
      warnings.add(EventDraft.warning(reject.reason().label(), reject.message()));
    }
    String said = StatusReport.condition(before, "Ready").map(Condition::getMessage).orElse("");
    for (Notice rejected : plan.rejected()) {
      if (!said.contains(rejected.message()) && !StepMessages.of(plan.step()).equals(rejected)) {
        warnings.add(EventDraft.warning(rejected.reason().label(), rejected.message()));
      }
    }
    Optional<Condition> degraded = StatusReport.condition(after, "Degraded");
    if (degraded.isPresent()
        && degraded.get().getStatus().equals("True")
        && !hasCondition(before, "Degraded", degraded.get().getReason(), "True")) {
      warnings.add(EventDraft.warning(degraded.get().getReason(), degraded.get().getMessage()));
    }
    return warnings;
  }

  private static EventDraft normal(Notice notice) {
    return EventDraft.normal(notice.reason().label(), notice.message());
  }

  private static boolean hasCondition(
      KvorumClusterStatus status, String type, String reason, String value) {
    return StatusReport.condition(status, type)
        .filter(it -> it.getReason().equals(reason) && it.getStatus().equals(value))
        .isPresent();
  }
}
