package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.LossStatus;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.PlanStatus;
import dev.kvorum.operator.api.PlannedMember;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports what {@code spec.dryRunReplicas} would change. It only reads: no step depends on it.
 * Placement is exact, because nodes compute it alike; sizes and times are rough.
 */
public final class ScalePreview {
  private ScalePreview() {}

  /** Returns the plan; empty if the spec does not ask for one. */
  public static Optional<PlanStatus> of(Observed observed) {
    Integer replicas = observed.spec().dryRunReplicas();
    return replicas == null ? Optional.empty() : Optional.of(of(observed, replicas));
  }

  private static PlanStatus of(Observed observed, int replicas) {
    Optional<Notice> unknown = unknown(observed);
    if (unknown.isPresent()) {
      return without(replicas, null, unknown.get(), List.of());
    }
    int copies = observed.spec().replication();
    if (replicas < copies) {
      Forecast present = Forecast.of(List.of(observed.members()), copies);
      return without(
          replicas,
          false,
          new Notice(
              Reason.REPLICAS_BELOW_REPLICATION,
              replicas + " members would be fewer than replication (" + copies + ")"),
          FailureForecast.of(observed, present.now()));
    }
    return planned(observed, Forecast.of(ScalePath.to(observed, replicas), copies));
  }

  /** Returns why the members at the beginning of a change are not known. */
  private static Optional<Notice> unknown(Observed observed) {
    Optional<KvorumTopologySpec> topology = observed.epoch();
    if (topology.isEmpty()) {
      return Health.notice(Reason.FOUNDING, "there is no topology yet");
    }
    if (topology.get().phase() == TopologyPhase.STABLE) {
      return Optional.empty();
    }
    TopologyMember changing = topology.get().changing().getFirst();
    return Health.notice(
        reason(changing.state()), "the members change: " + changing.name() + "; a plan follows");
  }

  private static Reason reason(MemberState state) {
    return switch (state) {
      case JOINING -> Reason.JOINING;
      case LEAVING -> Reason.LEAVING;
      case REMOVING -> Reason.REMOVING;
      case MOVING, ACTIVE -> Reason.MOVING;
    };
  }

  private static PlanStatus without(
      int replicas, @Nullable Boolean fits, Notice why, List<LossStatus> losses) {
    return new PlanStatus(
        replicas, fits, why.reason().label(), why.message(), null, null, List.of(), losses);
  }

  private static PlanStatus planned(Observed observed, Forecast forecast) {
    Optional<SizeForecast> sizes = SizeForecast.of(observed, forecast);
    Set<String> full = sizes.map(SizeForecast::full).orElse(Set.of());
    List<TopologyMember> members = new ArrayList<>(forecast.path().getLast());
    members.sort(Comparator.comparingInt(observed::ordinal));
    return new PlanStatus(
        members.size(),
        sizes.isPresent() ? full.isEmpty() : null,
        full.isEmpty() ? null : Reason.DISK_TOO_SMALL.label(),
        message(observed, forecast) + doubts(sizes.isPresent(), full),
        forecast.moved(),
        sizes.map(it -> duration(it.seconds())).orElse(null),
        members.stream().map(member -> member(forecast, sizes, member)).toList(),
        FailureForecast.of(observed, forecast.now()));
  }

  private static PlannedMember member(
      Forecast forecast, Optional<SizeForecast> sizes, TopologyMember member) {
    int slots = forecast.slotsThen(member.name());
    return new PlannedMember(
        member.name(),
        member.zone().isEmpty() ? null : member.zone(),
        slots,
        forecast.slotsNow(member.name()),
        sizes.map(it -> RoughSize.of(it.bytes(slots))).orElse(null));
  }

  private static String message(Observed observed, Forecast forecast) {
    int joins = 0;
    int leaves = 0;
    for (int step = 1; step < forecast.path().size(); step++) {
      boolean grows = forecast.path().get(step).size() > forecast.path().get(step - 1).size();
      joins += grows ? 1 : 0;
      leaves += grows ? 0 : 1;
    }
    if (joins + leaves == 0) {
      return "no member joins or leaves";
    }
    List<String> changes = new ArrayList<>();
    if (joins > 0) {
      changes.add(joins + (joins == 1 ? " member joins" : " members join"));
    }
    if (leaves > 0) {
      changes.add(leaves + (leaves == 1 ? " member leaves" : " members leave"));
    }
    String spare =
        joins > 0 && observed.spare().zone() ? "; a zone without members may get some" : "";
    return String.join(" and ", changes) + ", one at a time" + spare;
  }

  private static String doubts(boolean sized, Set<String> full) {
    if (!sized) {
      return "; not all members report the size of their data";
    }
    return full.isEmpty()
        ? ""
        : "; the data does not fit on " + String.join(", ", full) + "; raise storage.size";
  }

  /** Returns a duration in one unit, rounded up. */
  static String duration(double seconds) {
    long minutes = (long) Math.ceil(seconds / 60);
    if (minutes < 120) {
      return minutes + "m";
    }
    long hours = (minutes + 59) / 60;
    return hours < 48 ? hours + "h" : (hours + 23) / 24 + "d";
  }
}
