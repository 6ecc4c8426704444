package dev.kvorum.operator.view;

import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.MemberStatus;
import dev.kvorum.operator.api.TopologyMember;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives the members' states for the status. A member without a report keeps its last reported
 * epoch and release and, as long as its pod is ready, whether it is rebuilding.
 */
final class MemberStates {
  private MemberStates() {}

  static List<MemberStatus> of(Observed observed) {
    return observed.members().stream().map(member -> of(observed, member)).toList();
  }

  private static MemberStatus of(Observed observed, TopologyMember member) {
    Optional<MemberStatus> before =
        observed.status().memberStates().stream()
            .filter(it -> it.name().equals(member.name()))
            .findFirst();
    Optional<PodView> pod = observed.pod(member);
    Optional<NodeReport> report = pod.flatMap(observed::report);
    boolean ready = pod.filter(PodView::ready).isPresent();
    boolean rebuilding =
        report
            .map(NodeReport::rebuilding)
            .orElseGet(() ->
                ready
                    && before
                        .filter(it -> it.state() == MemberStatus.State.REBUILDING)
                        .isPresent());
    Release release = observed.release(member);
    return new MemberStatus(
        member.name(),
        state(member.state(), rebuilding, ready),
        report
            .map(NodeReport::epoch)
            .or(() -> before.flatMap(it -> Optional.ofNullable(it.epoch())))
            .orElse(null),
        emptyAsNull(release.version()),
        emptyAsNull(release.protocols()),
        pod.map(PodView::image).map(MemberStates::emptyAsNull).orElse(null),
        observed.place(member).map(Place::machine).orElse(null),
        emptyAsNull(member.zone()));
  }

  private static @Nullable String emptyAsNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static MemberStatus.State state(MemberState listed, boolean rebuilding, boolean ready) {
    if (rebuilding) {
      return MemberStatus.State.REBUILDING;
    }
    if (!ready) {
      return MemberStatus.State.DOWN;
    }
    return switch (listed) {
      case ACTIVE -> MemberStatus.State.ACTIVE;
      case JOINING -> MemberStatus.State.JOINING;
      case LEAVING -> MemberStatus.State.LEAVING;
      case REMOVING -> MemberStatus.State.REMOVING;
      case MOVING -> MemberStatus.State.MOVING;
    };
  }
}
