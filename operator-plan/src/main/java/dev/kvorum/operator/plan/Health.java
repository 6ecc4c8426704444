package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks the health and progress of members. Each check returns one problem in one sentence, or
 * empty if there is none.
 */
public final class Health {
  /** Time after its deadline for termination at which a pod counts as stuck. */
  static final Duration TERMINATION_GRACE = Duration.ofSeconds(30);

  /** Time that a new pod has to become ready before it counts as down. */
  static final Duration START_GRACE = Duration.ofMinutes(2);

  /** Reasons with which the operator replaces pods. */
  private static final Set<String> RESTARTS =
      Set.of(Reason.RESTARTING_POD.label(), Reason.UPDATE_WAITS.label());

  private Health() {}

  /** Returns that all data is lost, or the first unhealthy member; joining members are left out. */
  static Optional<Notice> ofMembers(Observed observed) {
    return withoutData(observed)
        .or(() -> first(observed.members(), member -> listed(observed, member)));
  }

  private static Optional<Notice> listed(Observed observed, TopologyMember member) {
    return member.state() == MemberState.JOINING ? Optional.empty() : of(observed, member);
  }

  /**
   * Returns that no member has data although the cluster was founded, as when it was created again
   * with its topology and without its volumes. They all wait for one with data then
   * (docs/adr/0009).
   */
  private static Optional<Notice> withoutData(Observed observed) {
    boolean founded =
        observed.topology().filter(it -> it.founded() || it.spec().epoch() > 1).isPresent();
    List<TopologyMember> members = observed.members();
    if (!founded
        || !members.stream()
            .allMatch(member -> report(observed, member).filter(NodeReport::blank).isPresent())) {
      return Optional.empty();
    }
    return notice(
        Reason.NO_MEMBER_HAS_DATA,
        "the volumes of all members are empty, although this cluster had data; the members wait for"
            + " one with data and serve nothing. Bring a volume with data back; or delete the"
            + " cluster with KvorumTopology and volumes, and create it from a backup; or, only if"
            + " the data may be given up, `kubectl port-forward pod/"
            + members.getFirst().name()
            + " 8090` and `curl -X DELETE localhost:8090/actuator/kvorum/lost-disks`. See"
            + " docs/kubernetes.md, \"When all volumes are lost\"");
  }

  /**
   * Returns what makes the cluster degraded: as {@link #ofMembers}, but not a member that is just
   * starting, which is progress.
   */
  public static Optional<Notice> degraded(Observed observed) {
    return withoutData(observed)
        .or(() ->
            first(
                observed.members(),
                member ->
                    listed(observed, member)
                        .filter(ill -> ill.reason() != Reason.MEMBER_STARTING)
                        .filter(ill -> !isRestarting(observed, member))));
  }

  /** Returns the first member that is starting, if the cluster is not degraded. */
  static Optional<Notice> starting(Observed observed) {
    return ofMembers(observed)
        .map(ill -> isRestart(observed) ? new Notice(Reason.RESTARTING_POD, ill.message()) : ill);
  }

  /**
   * Returns whether a member has no pod yet, or one that has not become ready, since the operator
   * has just restarted it: by the reason of the last status, so that it goes on until something
   * else is reported. Without that status the member counts as down a little earlier.
   */
  private static boolean isRestarting(Observed observed, TopologyMember member) {
    if (!isRestart(observed)) {
      return false;
    }
    return observed
        .pod(member)
        .map(pod ->
            !pod.ready()
                && pod.reachable()
                && trouble(observed, pod).isEmpty()
                && !pod.terminating()
                && observed.now().isBefore(pod.createdAt().plus(observed.spec().rollout().time())))
        .orElseGet(() -> observed.podCreationFailure().isEmpty());
  }

  private static boolean isRestart(Observed observed) {
    return Conditions.whyTrue(observed.status().conditions(), Conditions.PROGRESSING)
        .filter(RESTARTS::contains)
        .isPresent();
  }

  /** Returns why a member is unhealthy: missing, not ready, unreachable or rebuilding. */
  static Optional<Notice> of(Observed observed, TopologyMember member) {
    String name = member.name();
    Optional<PodView> found = observed.pod(member);
    if (found.isEmpty()) {
      return notice(Reason.MEMBER_DOWN, name + " has no pod" + podCreationFailure(observed));
    }
    PodView pod = found.get();
    Optional<Notice> down = ofPod(observed, pod);
    if (down.isPresent()) {
      return down;
    }
    Optional<NodeReport> report = observed.report(pod);
    if (report.isEmpty()) {
      return notice(Reason.MEMBER_UNREACHABLE, name + " does not respond on its management port");
    }
    if (report.get().rebuilding()) {
      return notice(
          Reason.MEMBER_REBUILDING,
          name + " is rebuilding its store; no member can be evicted meanwhile");
    }
    return Optional.empty();
  }

  /** Returns why a pod makes no progress. */
  static Optional<String> trouble(Observed observed, PodView pod) {
    return Optional.ofNullable(observed.volumes().get(pod.ordinal()))
        .filter(volume -> !pod.ready())
        .flatMap(volume -> volume.unbound().map(why -> volume.name() + " has no volume: " + why))
        .or(pod::trouble);
  }

  /** Returns the reason that Kubernetes gives for a missing pod, as the end of a message. */
  static String podCreationFailure(Observed observed) {
    return observed.podCreationFailure().map(why -> ": " + why).orElse("");
  }

  /** Returns that a pod does not terminate. */
  static Optional<Notice> stuck(Observed observed, PodView pod) {
    return pod.terminatingAt()
        .filter(at -> observed.now().isAfter(at.plus(TERMINATION_GRACE)))
        .flatMap(at ->
            notice(
                Reason.POD_STUCK_TERMINATING,
                pod.name()
                    + " does not terminate, as on a failed machine: once that is confirmed to be"
                    + " off, `kubectl delete pod --force` lets the pod start elsewhere"));
  }

  private static Optional<Notice> ofPod(Observed observed, PodView pod) {
    if (pod.terminating()) {
      return stuck(observed, pod)
          .or(() -> notice(Reason.MEMBER_STARTING, pod.name() + " is being restarted"));
    }
    Optional<String> trouble = trouble(observed, pod);
    if (trouble.isPresent()) {
      return notice(Reason.MEMBER_DOWN, pod.name() + ": " + trouble.get());
    }
    if (!pod.reachable()) {
      return notice(
          Reason.MEMBER_UNREACHABLE,
          pod.name() + " is not connected to most members; clients are kept from it");
    }
    if (!pod.ready()) {
      return observed.now().isBefore(pod.createdAt().plus(START_GRACE))
          ? notice(Reason.MEMBER_STARTING, pod.name() + " is starting")
          : notice(Reason.MEMBER_DOWN, pod.name() + " is not ready");
    }
    return Optional.empty();
  }

  /**
   * Returns a node, a member or not, that is ahead of the topology: the next epoch would reuse the
   * number of another epoch.
   */
  static Optional<Notice> behind(Observed observed, KvorumTopologySpec topology) {
    return first(
        List.copyOf(observed.pods().values()),
        pod ->
            observed
                .report(pod)
                .filter(report -> report.isAheadOf(topology))
                .flatMap(report -> notice(Reason.TOPOLOGY_BEHIND, ahead(report, topology))));
  }

  private static String ahead(NodeReport report, KvorumTopologySpec topology) {
    String known =
        report.epoch() == topology.epoch()
            ? " has a different epoch " + topology.epoch() + " than the topology"
            : " has epoch " + report.epoch() + ", the topology is at " + topology.epoch();
    return report.node()
        + known
        + ": the topology was probably restored from an old copy. Restore that of the nodes as"
        + " described in docs/kubernetes.md";
  }

  /** Returns the first member that has not seen the topology, or a node that is ahead of it. */
  static Optional<Notice> unseen(Observed observed, KvorumTopologySpec topology) {
    return unseen(observed, topology, topology.participants());
  }

  private static Optional<Notice> unseen(
      Observed observed, KvorumTopologySpec topology, List<TopologyMember> members) {
    return behind(observed, topology)
        .or(() -> first(members, member -> unseen(observed, topology, member)));
  }

  private static Optional<Notice> unseen(
      Observed observed, KvorumTopologySpec topology, TopologyMember member) {
    Optional<NodeReport> report = report(observed, member);
    if (report.isEmpty()) {
      return notice(
          Reason.MEMBER_UNREACHABLE, member.name() + " has not reported epoch " + topology.epoch());
    }
    return report.get().epoch() == topology.epoch()
        ? Optional.empty()
        : notice(
            Reason.EPOCH_NOT_SEEN, member.name() + " has not reached epoch " + topology.epoch());
  }

  /** Returns the first member that has not copied all records that it gains. */
  static Optional<Notice> uncopied(Observed observed, KvorumTopologySpec topology) {
    return first(
        topology.participants(),
        member -> {
          Optional<NodeReport> report = report(observed, member);
          if (report.isPresent() && report.get().rebuilding()) {
            return notice(Reason.MEMBER_REBUILDING, member.name() + " is rebuilding its store");
          }
          return report.isPresent() && report.get().transferred(topology.epoch())
              ? Optional.empty()
              : notice(
                  Reason.COPYING,
                  member.name()
                      + report
                          .flatMap(it -> it.transfer(topology.epoch()))
                          .map(Health::soFar)
                          .orElse(" is streaming the slots that it gains"));
        });
  }

  /** The size is rounded, because each change of the message rewrites the status. */
  private static String soFar(NodeReport.Transfer copy) {
    return " has copied "
        + copy.sourcesDone()
        + " of "
        + copy.sources()
        + " sources, "
        + RoughSize.of(copy.bytes());
  }

  /** Returns the first member that has not reported that its cleanup is complete. */
  private static Optional<Notice> notCleanedUp(Observed observed, List<TopologyMember> members) {
    return first(
        members,
        member ->
            report(observed, member).filter(NodeReport::cleanedUp).isPresent()
                ? Optional.empty()
                : notice(
                    Reason.CLEANUP,
                    member.name() + " is cleaning up records that it no longer owns"));
  }

  /** Returns the first member that has not completed the last change. */
  static Optional<Notice> unsettled(Observed observed, KvorumTopologySpec topology) {
    return unsettled(observed, topology, topology.participants());
  }

  /** Returns the first of these members that has not completed the last change. */
  static Optional<Notice> unsettled(
      Observed observed, KvorumTopologySpec topology, List<TopologyMember> members) {
    return unseen(observed, topology, members).or(() -> notCleanedUp(observed, members));
  }

  /** Returns the first member that is not connected to a peer or has hints for one. */
  static Optional<Notice> unconverged(Observed observed) {
    return unconverged(observed, observed.members());
  }

  /** Returns the first of these members that is not connected to another, or has hints for it. */
  static Optional<Notice> unconverged(Observed observed, List<TopologyMember> members) {
    return first(
        members,
        member ->
            report(observed, member)
                .flatMap(report -> first(members, peer -> gap(report, member, peer))));
  }

  private static Optional<Notice> gap(
      NodeReport report, TopologyMember member, TopologyMember peer) {
    if (peer.name().equals(member.name())) {
      return Optional.empty();
    }
    NodeReport.PeerView seen = report.peers().get(peer.name());
    if (seen == null || !seen.connected()) {
      return notice(
          Reason.MEMBER_UNREACHABLE, member.name() + " is not connected to " + peer.name());
    }
    return seen.hints() == 0
        ? Optional.empty()
        : notice(Reason.HINTS_WAITING, member.name() + " has hints for " + peer.name());
  }

  /** Returns whether a member reports that the operator may ask this of it. */
  static boolean has(Observed observed, TopologyMember member, String operation) {
    return report(observed, member).filter(it -> it.operations().contains(operation)).isPresent();
  }

  static Optional<NodeReport> report(Observed observed, TopologyMember member) {
    return observed.pod(member).flatMap(observed::report);
  }

  static <T> Optional<Notice> first(List<T> all, Function<T, Optional<Notice>> question) {
    return all.stream().map(question).flatMap(Optional::stream).findFirst();
  }

  /** Returns the first problem that one of the checks finds. */
  static Optional<Notice> first(List<Supplier<Optional<Notice>>> questions) {
    return questions.stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
  }

  static Optional<Notice> notice(Reason reason, String message) {
    return Optional.of(new Notice(reason, message));
  }
}
