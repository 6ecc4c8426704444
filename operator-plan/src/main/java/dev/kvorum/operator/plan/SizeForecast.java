package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Ordinals;
import dev.kvorum.operator.view.Sizes;
import dev.kvorum.operator.view.VolumeView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Bytes that members have along a {@link Forecast}, if slots are of equal size.
 *
 * @param all bytes of all copies
 * @param reports of the present members, by name
 */
record SizeForecast(
    Observed observed, Forecast forecast, double all, Map<String, NodeReport> reports) {
  /** A joining or leaving member makes others read what they have so often, at most. */
  private static final int SCANS = 3;

  /** Returns the sizes; empty if not all members report theirs. */
  static Optional<SizeForecast> of(Observed observed, Forecast forecast) {
    List<NodeReport> reports = DiskCheck.reports(observed, observed.members());
    return reports.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SizeForecast(
                observed,
                forecast,
                DiskCheck.dataBytes(reports),
                reports.stream().collect(Collectors.toMap(NodeReport::node, it -> it))));
  }

  /** Returns the bytes of so many slots. */
  long bytes(int slots) {
    long copies = forecast.slots().getFirst().values().stream().mapToInt(it -> it).sum();
    return copies == 0 ? 0 : (long) (all / copies * slots);
  }

  /** Returns the members that lack room at some step, in the order of their names. */
  Set<String> full() {
    Map<String, Long> most = new HashMap<>();
    for (int step = 1; step < forecast.path().size(); step++) {
      List<TopologyMember> members = forecast.path().get(step);
      boolean leaves = members.size() < forecast.path().get(step - 1).size();
      // Before a member leaves, the others are checked with the mean.
      long least = leaves ? (long) (all / members.size()) : 0;
      forecast
          .slots()
          .get(step)
          .forEach((name, slots) -> most.merge(name, Math.max(bytes(slots), least), Math::max));
    }
    Set<String> full = new TreeSet<>();
    most.forEach((name, bytes) -> {
      if (DiskCheck.needs(bytes - data(name)) > room(name)) {
        full.add(name);
      }
    });
    return full;
  }

  private long data(String name) {
    NodeReport report = reports.get(name);
    return report == null ? 0 : report.dataBytes().orElseThrow();
  }

  private long room(String name) {
    NodeReport report = reports.get(name);
    if (report != null) {
      return report.diskFreeBytes().orElseThrow();
    }
    // A member that comes back empties its volume first.
    VolumeView volume = observed.volumes().get(Ordinals.of(name));
    return volume == null ? Sizes.bytes(observed.spec().storage().size()) : volume.sizeBytes();
  }

  /** Returns how long the copies take, step after step. */
  double seconds() {
    long read = 0;
    for (int step = 1; step < forecast.path().size(); step++) {
      int most =
          forecast.slots().get(step - 1).values().stream().mapToInt(it -> it).max().orElse(0);
      read += SCANS * bytes(most);
    }
    return (double) read / RebalanceRate.bytesPerSecond(observed.spec());
  }
}
