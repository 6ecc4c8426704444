package dev.kvorum.operator.report;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.Step;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is told as Events: what was done to members, and what a status newly says is amiss. */
public final class Events {
  private Events() {}

  /** What was done, if a user wants to know. */
  public static Optional<Event> of(KvorumCluster cluster, Step step, Instant now) {
    return switch (step) {
      case Step.CreateStatefulSet _,
          Step.UpdateStatefulSet _,
          Step.RecreateStatefulSet _,
          Step.ScaleStatefulSet _,
          Step.Found _,
          Step.NextEpoch _,
          Step.RestartPod _,
          Step.ResizeVolume _ ->
          Optional.of(event(cluster, "Normal", StepWords.of(step), now));
      case Step.Identify _,
          Step.PutObject _,
          Step.MarkVolume _,
          Step.MarkTopology _,
          Step.Wait _,
          Step.Refuse _,
          Step.Rest _ ->
          Optional.empty();
    };
  }

  /** What is newly refused or amiss. */
  public static List<Event> news(
      KvorumCluster cluster,
      KvorumClusterStatus before,
      KvorumClusterStatus after,
      Plan plan,
      Instant now) {
    List<Notice> warnings = new ArrayList<>();
    if (plan.step() instanceof Step.Refuse refuse
        && !says(before, "Ready", refuse.reason().word(), "False")) {
      warnings.add(new Notice(refuse.reason(), refuse.message()));
    }
    for (Notice refused : plan.refused()) {
      if (plan.step() instanceof Step.Rest
          && !says(before, "Ready", refused.reason().word(), "False")) {
        warnings.add(refused);
        break;
      }
    }
    Optional<Condition> degraded = StatusReport.condition(after, "Degraded");
    if (degraded.isPresent()
        && degraded.get().getStatus().equals("True")
        && !says(before, "Degraded", degraded.get().getReason(), "True")) {
      return warned(cluster, warnings, degraded.get(), now);
    }
    return warnings.stream().map(it -> event(cluster, "Warning", it, now)).toList();
  }

  private static List<Event> warned(
      KvorumCluster cluster, List<Notice> warnings, Condition degraded, Instant now) {
    List<Event> events = new ArrayList<>();
    warnings.forEach(it -> events.add(event(cluster, "Warning", it, now)));
    events.add(event(cluster, "Warning", degraded.getReason(), degraded.getMessage(), now));
    return events;
  }

  private static boolean says(
      KvorumClusterStatus status, String type, String reason, String value) {
    return StatusReport.condition(status, type)
        .filter(it -> it.getReason().equals(reason) && it.getStatus().equals(value))
        .isPresent();
  }

  private static Event event(KvorumCluster cluster, String type, Notice notice, Instant now) {
    return event(cluster, type, notice.reason().word(), notice.message(), now);
  }

  private static Event event(
      KvorumCluster cluster, String type, String reason, String message, Instant now) {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    String name = cluster.getMetadata().getName();
    String unique =
        Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
            + Integer.toHexString((reason + message).hashCode());
    return new EventBuilder()
        .withNewMetadata()
        .withName(name + "." + unique)
        .withNamespace(cluster.getMetadata().getNamespace())
        .endMetadata()
        .withType(type)
        .withReason(reason)
        .withMessage(message)
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1)
        .withReportingComponent("kvorum.dev/operator")
        .withReportingInstance("kvorum-operator")
        .withNewSource()
        .withComponent("kvorum-operator")
        .endSource()
        .withNewInvolvedObject()
        .withApiVersion(cluster.getApiVersion())
        .withKind(cluster.getKind())
        .withName(name)
        .withNamespace(cluster.getMetadata().getNamespace())
        .withUid(cluster.getMetadata().getUid())
        .endInvolvedObject()
        .build();
  }
}
