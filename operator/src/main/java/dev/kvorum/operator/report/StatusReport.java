package dev.kvorum.operator.report;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.plan.FailureDomains;
import dev.kvorum.operator.plan.FeaturePlanner;
import dev.kvorum.operator.plan.Health;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.ScalePreview;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.plan.VolumePlanner;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.Sizes;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Derives a cluster's status from the observed state and the plan. The same input gives the same
 * status: the time of a condition changes only with its value.
 */
public final class StatusReport {
  /** Reasons of a wait that ends only once a person has changed something. */
  private static final Set<Reason> NEED_A_PERSON =
      Set.of(Reason.UPDATE_STALLED, Reason.NO_MEMBER_HAS_DATA);

  private StatusReport() {}

  /** Returns the new status. */
  public static KvorumClusterStatus of(Observed there, Plan plan, long generation) {
    KvorumClusterStatus before = there.status();
    boolean founded = there.topology().isPresent();
    int readyMembers =
        Math.toIntExact(there.members().stream().filter(member -> ready(there, member)).count());
    Verdict progressing = progressing(plan);
    return new KvorumClusterStatus(
        generation,
        there.pods().size(),
        Labels.selectorText(there.name()),
        there.members().size(),
        readyMembers,
        readyMembers + "/" + there.spec().replicas(),
        before.clusterId() == null ? 0 : epoch(there),
        versions(there),
        there.image().wanted().isEmpty() ? null : there.image().wanted(),
        FeaturePlanner.active(there),
        FeaturePlanner.inactive(there),
        StepMessages.phase(plan.step(), founded, !plan.rejected().isEmpty()),
        before.clusterId(),
        there.image().byDefault().isEmpty() ? null : there.image().byDefault(),
        VolumePlanner.onDeletion(there),
        VolumePlanner.sizeBytes(there).stream().mapToObj(Sizes::text).findFirst().orElse(null),
        there.objects().certificates().orElse(null),
        ScalePreview.of(there).orElse(null),
        there.memberStates(),
        List.of(
            condition(there, generation, "Ready", ready(plan)),
            condition(there, generation, Conditions.PROGRESSING, progressing),
            condition(there, generation, "Degraded", degraded(there, plan)),
            condition(there, generation, Conditions.RECONCILING, progressing),
            condition(there, generation, Conditions.STALLED, stalled(plan, progressing))));
  }

  private static @Nullable String versions(Observed there) {
    String versions =
        there.members().stream()
            .map(member -> there.release(member).version())
            .filter(version -> !version.isEmpty())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return versions.isEmpty() ? null : versions;
  }

  /**
   * Returns the topology's epoch or, without a topology, the last epoch that the status reported.
   */
  private static long epoch(Observed there) {
    return there.epoch().map(KvorumTopologySpec::epoch).orElse(there.status().epoch());
  }

  private static boolean ready(Observed there, TopologyMember member) {
    return there.pod(member).filter(PodView::ready).isPresent();
  }

  private record Verdict(boolean holds, Notice why) {}

  private static Verdict ready(Plan plan) {
    boolean rests = plan.step() instanceof Step.Rest;
    List<Notice> whys = new ArrayList<>(rests ? List.of() : List.of(StepMessages.of(plan.step())));
    plan.rejected().stream().filter(notice -> !whys.contains(notice)).forEach(whys::add);
    if (whys.isEmpty()) {
      return new Verdict(true, StepMessages.of(plan.step()));
    }
    String all = whys.stream().map(Notice::message).collect(Collectors.joining("; "));
    return new Verdict(false, new Notice(whys.getFirst().reason(), all));
  }

  private static Verdict progressing(Plan plan) {
    // A cluster that rests beside a spec that was rejected does not match it.
    boolean isRejected = plan.step() instanceof Step.Rest && !plan.rejected().isEmpty();
    Notice why = isRejected ? plan.rejected().getFirst() : StepMessages.of(plan.step());
    boolean goesOn =
        switch (plan.step()) {
          case Step.Rest _, Step.Reject _ -> false;
          case Step.Wait wait ->
              switch (wait.phase()) {
                case PAUSED, DEGRADED, REJECTED, READY -> false;
                case CREATING,
                    RESTORING,
                    SCALING_OUT,
                    SCALING_IN,
                    REMOVING,
                    MOVING,
                    CANCELLING,
                    UPDATING,
                    RESIZING ->
                    wait.reason() != Reason.UPDATE_STALLED;
              };
          case Step.Identify _,
              Step.PutObject _,
              Step.MarkVolume _,
              Step.OwnVolume _,
              Step.MarkTopology _,
              Step.SaveTopology _,
              Step.RestoreTopology _,
              Step.ResizeVolume _,
              Step.CheckImage _,
              Step.CreateStatefulSet _,
              Step.OwnStatefulSet _,
              Step.SealStatefulSet _,
              Step.UpdateStatefulSet _,
              Step.RollBack _,
              Step.RecreateStatefulSet _,
              Step.ScaleStatefulSet _,
              Step.BootstrapTopology _,
              Step.CheckBackup _,
              Step.RestoreBackup _,
              Step.RemoveRestoreJob _,
              Step.CreateRestoreUser _,
              Step.RemoveRestoreUser _,
              Step.EndRestore _,
              Step.StartTask _,
              Step.EndTask _,
              Step.NextEpoch _,
              Step.RemoveVolume _,
              Step.MarkLeftVolume _,
              Step.RemoveLeftVolume _,
              Step.RestartPod _ ->
              true;
        };
    return new Verdict(goesOn, why);
  }

  /** What does not go on before the spec, or something outside, is changed. */
  private static Verdict stalled(Plan plan, Verdict progressing) {
    boolean isStopped =
        !plan.rejected().isEmpty()
            || plan.step() instanceof Step.Reject
            || (plan.step() instanceof Step.Wait wait && NEED_A_PERSON.contains(wait.reason()));
    return isStopped && !progressing.holds()
        ? new Verdict(true, ready(plan).why())
        : new Verdict(false, progressing.why());
  }

  private static Verdict degraded(Observed there, Plan plan) {
    if (plan.step() instanceof Step.Wait wait
        && (wait.phase() == ClusterPhase.DEGRADED || wait.reason() == Reason.UPDATE_STALLED)) {
      return new Verdict(true, new Notice(wait.reason(), wait.message()));
    }
    return Health.degraded(there)
        // Its members are not ready by order.
        .filter(ill -> there.restore().ordered().isEmpty())
        .or(() -> FailureDomains.crowded(there))
        .map(ill -> new Verdict(true, ill))
        .orElseGet(() -> new Verdict(false, new Notice(Reason.AS_ASKED_FOR, "no member is down")));
  }

  private static Condition condition(
      Observed there, long generation, String type, Verdict verdict) {
    return Conditions.next(
            there.status().conditions(),
            type,
            verdict.holds(),
            verdict.why().reason().label(),
            verdict.why().message(),
            there.now())
        .withObservedGeneration(generation)
        .build();
  }

  /** Returns the condition of a type; empty if the status has none. */
  public static Optional<Condition> condition(KvorumClusterStatus status, String type) {
    return Conditions.find(status.conditions(), type);
  }
}
