package dev.kvorum.operator.report;

import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.News;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.Step;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is told as Events: what was done to members, and what a status newly says is amiss. */
public final class Events {
  private Events() {}

  /** What was done, if a user wants to know. */
  public static Optional<News> of(Step step) {
    return switch (step) {
      case Step.CreateStatefulSet _,
          Step.UpdateStatefulSet _,
          Step.RecreateStatefulSet _,
          Step.ScaleStatefulSet _,
          Step.Found _,
          Step.NextEpoch _,
          Step.RestartPod _,
          Step.ResizeVolume _ ->
          Optional.of(normal(StepWords.of(step)));
      case Step.Identify _,
          Step.PutObject _,
          Step.MarkVolume _,
          Step.OwnVolume _,
          Step.MarkTopology _,
          Step.Wait _,
          Step.Refuse _,
          Step.Rest _ ->
          Optional.empty();
    };
  }

  /** What is newly refused or amiss. */
  public static List<News> news(KvorumClusterStatus before, KvorumClusterStatus after, Plan plan) {
    List<News> warnings = new ArrayList<>();
    if (plan.step() instanceof Step.Refuse refuse
        && !says(before, "Ready", refuse.reason().word(), "False")) {
      warnings.add(News.warning(refuse.reason().word(), refuse.message()));
    }
    String said = StatusReport.condition(before, "Ready").map(Condition::getMessage).orElse("");
    for (Notice refused : plan.refused()) {
      if (!said.contains(refused.message()) && !StepWords.of(plan.step()).equals(refused)) {
        warnings.add(News.warning(refused.reason().word(), refused.message()));
      }
    }
    Optional<Condition> degraded = StatusReport.condition(after, "Degraded");
    if (degraded.isPresent()
        && degraded.get().getStatus().equals("True")
        && !says(before, "Degraded", degraded.get().getReason(), "True")) {
      warnings.add(News.warning(degraded.get().getReason(), degraded.get().getMessage()));
    }
    return warnings;
  }

  private static News normal(Notice notice) {
    return News.normal(notice.reason().word(), notice.message());
  }

  private static boolean says(
      KvorumClusterStatus status, String type, String reason, String value) {
    return StatusReport.condition(status, type)
        .filter(it -> it.getReason().equals(reason) && it.getStatus().equals(value))
        .isPresent();
  }
}
