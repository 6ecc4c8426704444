package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.FeaturesSpec;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Plans the activation of features (docs/adr/0030). A node uses a feature from the epoch whose
 * topology lists it, and keeps it active for ever, so that no release without it can follow. It is
 * listed once all members have it and no other release is about to be rolled out.
 */
public final class FeaturePlanner {
  private FeaturePlanner() {}

  /** Activates all features that are due in one change, once there is nothing else to do. */
  static Optional<Step> begin(Observed observed) {
    KvorumTopologySpec topology = observed.epoch().orElseThrow();
    NavigableSet<String> due = due(observed, topology);
    boolean waits =
        due.isEmpty()
            || isUpdating(observed)
            || Health.ofMembers(observed)
                .or(() -> Health.unsettled(observed, topology))
                .isPresent();
    return waits
        ? Optional.empty()
        : Optional.of(new Step.NextEpoch(EpochChange.activating(topology, due)));
  }

  /**
   * Returns the features that all members have and the topology does not list. One that is active
   * already, as after the topology was restored, is listed again also while others are held.
   */
  private static NavigableSet<String> due(Observed observed, KvorumTopologySpec topology) {
    FeaturesSpec spec = observed.spec().features();
    if (spec == null || !topology.keepsFeatures()) {
      return new TreeSet<>(); // an older definition of either would drop what is activated
    }
    NavigableSet<String> due = ofAll(observed);
    due.removeAll(topology.features());
    if (spec.activation() == FeatureActivation.HELD) {
      due.retainAll(active(observed));
    }
    return due;
  }

  /** Returns whether pods have another template than the spec asks for, or one is being checked. */
  private static boolean isUpdating(Observed observed) {
    String template = observed.statefulSet().orElseThrow().specHash();
    return observed.specHash().filter(template::equals).isEmpty()
        || ImagePlanner.isAsking(observed)
        || !RolloutPlanner.outdated(observed).isEmpty();
  }

  /** Returns the features that every member reports to have. */
  private static NavigableSet<String> ofAll(Observed observed) {
    NavigableSet<String> all = ofAny(observed);
    observed.members().forEach(member -> all.retainAll(observed.release(member).features()));
    return all;
  }

  private static NavigableSet<String> ofAny(Observed observed) {
    return union(reports(observed).map(report -> report.release().features()));
  }

  /**
   * Returns the features that are active: those that the topology lists or a member reports, and
   * those that did so when the status was written last.
   */
  public static List<String> active(Observed observed) {
    Stream<Collection<String>> known =
        Stream.of(
            observed.status().features(),
            observed.epoch().map(KvorumTopologySpec::features).orElse(List.of()));
    return List.copyOf(
        union(Stream.concat(known, reports(observed).map(NodeReport::activeFeatures))));
  }

  /** Returns the features that a member has and that are not active. */
  public static List<String> inactive(Observed observed) {
    NavigableSet<String> inactive = ofAny(observed);
    inactive.removeAll(active(observed));
    return List.copyOf(inactive);
  }

  private static Stream<NodeReport> reports(Observed observed) {
    return observed.members().stream().flatMap(member -> Health.report(observed, member).stream());
  }

  private static NavigableSet<String> union(Stream<? extends Collection<String>> sets) {
    NavigableSet<String> union = new TreeSet<>();
    sets.forEach(union::addAll);
    return union;
  }
}
