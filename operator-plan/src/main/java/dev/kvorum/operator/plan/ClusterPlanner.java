package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.Observed;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Plans the next step of a cluster. The planners run in order of precedence: the first one that
 * returns a step, possibly a wait, determines the next step.
 */
public final class ClusterPlanner {
  private ClusterPlanner() {}

  /** Returns the next step, and what of the spec is rejected. */
  public static Plan plan(Observed observed) {
    Step step =
        Stream.<Supplier<Optional<Step>>>of(
                () -> deleting(observed),
                () -> VolumePlanner.own(observed),
                () -> protectPaused(observed),
                () -> paused(observed),
                () -> foreign(observed),
                () -> BootstrapPlanner.identify(observed),
                () -> impossible(observed),
                () -> LeftVolumePlanner.unmark(observed),
                () -> VolumePlanner.next(observed),
                () -> objects(observed),
                () -> RestorePlanner.check(observed),
                () -> StatefulSetPlanner.next(observed),
                () -> RollbackPlanner.next(observed),
                () -> RolloutPlanner.repair(observed),
                () -> BootstrapPlanner.found(observed),
                () -> RestorePlanner.next(observed),
                () -> RemovalPlanner.next(observed),
                () -> ScalePlanner.proceed(observed),
                () -> ScalePlanner.scaleDownStatefulSet(observed),
                () -> ImagePlanner.begin(observed),
                () -> RolloutPlanner.next(observed),
                () -> RestartPlanner.next(observed),
                () -> ZonePlanner.begin(observed),
                () -> ScalePlanner.begin(observed),
                () -> ImagePlanner.pending(observed),
                () -> FeaturePlanner.begin(observed),
                () -> remaining(observed),
                () -> LeftVolumePlanner.next(observed))
            .map(Supplier::get)
            .flatMap(Optional::stream)
            .findFirst()
            .orElseGet(Step.Rest::new);
    return new Plan(step, rejected(observed));
  }

  private static Optional<Step> deleting(Observed observed) {
    return pauseIf(observed.deleting(), Reason.DELETING, "is being deleted");
  }

  /**
   * Keeps the disruption budget of a paused cluster: members that are rebuilt or leave meanwhile
   * change how many may be evicted, and a budget from before would allow too many or none.
   */
  private static Optional<Step> protectPaused(Observed observed) {
    return observed.spec().paused()
        ? observed.objects().budget().map(Step.PutObject::new)
        : Optional.empty();
  }

  private static Optional<Step> paused(Observed observed) {
    return pauseIf(
        observed.spec().paused(), Reason.PAUSED, "spec.paused is true: no changes are made");
  }

  private static Optional<Step> pauseIf(boolean holds, Reason reason, String message) {
    return holds
        ? Optional.of(new Step.Wait(ClusterPhase.PAUSED, reason, message))
        : Optional.empty();
  }

  /**
   * Does not create the cluster while a foreign object has a name that it needs. A running cluster
   * is still managed, as long as its StatefulSet is its own.
   */
  private static Optional<Step> foreign(Observed observed) {
    boolean runs =
        observed.topology().isPresent()
            && !observed.objects().foreign().contains(set(observed.name()));
    return foreignNotices(observed)
        .filter(why -> !runs)
        .findFirst()
        .map(why -> new Step.Reject(why.reason(), why.message()));
  }

  private static String set(String name) {
    return "StatefulSet/" + name;
  }

  private static Stream<Notice> foreignNotices(Observed observed) {
    return observed.objects().foreign().stream()
        .map(object ->
            new Notice(
                Reason.FOREIGN_OBJECT,
                object
                    + " exists and does not belong to this cluster: it is left unchanged; remove"
                    + " it or rename the cluster"));
  }

  /** Does not create a cluster from a spec that no pod can be created from. */
  private static Optional<Step> impossible(Observed observed) {
    return observed.invalid().stream()
        .filter(why -> observed.statefulSet().isEmpty())
        .findFirst()
        .map(why -> new Step.Reject(why.reason(), why.message()));
  }

  private static Optional<Step> objects(Observed observed) {
    return observed.objects().drift().stream().findFirst().map(Step.PutObject::new);
  }

  private static Optional<Step> remaining(Observed observed) {
    return Health.degraded(observed)
        .<Step>map(ill -> new Step.Wait(ClusterPhase.DEGRADED, ill.reason(), ill.message()))
        .or(() ->
            Health.starting(observed)
                .map(it -> new Step.Wait(ClusterPhase.UPDATING, it.reason(), it.message())))
        .or(() ->
            observed
                .epoch()
                .flatMap(now -> Health.unsettled(observed, now))
                .<Step>map(
                    late -> new Step.Wait(ClusterPhase.UPDATING, late.reason(), late.message())))
        .or(() -> VolumePlanner.growing(observed));
  }

  private static Stream<Notice> rejectedObjects(Observed observed) {
    return observed.objects().rejected().entrySet().stream()
        .map(object ->
            new Notice(
                Reason.OBJECT_REJECTED,
                "the API server rejects " + object.getKey() + ": " + object.getValue()));
  }

  private static List<Notice> rejected(Observed observed) {
    return Stream.of(
            foreignNotices(observed),
            observed.invalid().stream(),
            ScalePlanner.rejection(observed).stream(),
            ImagePlanner.rejection(observed).stream(),
            RollbackPlanner.rejection(observed).stream(),
            VolumePlanner.rejection(observed).stream(),
            rejectedObjects(observed))
        .flatMap(notices -> notices)
        .toList();
  }
}
