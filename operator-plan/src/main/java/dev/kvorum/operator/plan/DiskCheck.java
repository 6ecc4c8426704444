package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Checks whether members have room for the data that a change gives them, if all report theirs. */
final class DiskCheck {
  /** Space that a copy takes at most while old and new files both exist, in tenths of its size. */
  private static final int TENTHS = 15;

  private DiskCheck() {}

  /**
   * Returns that other members have no room for their share of the data of one that leaves. A lost
   * member does not report its size; it counts with the mean of the others.
   */
  static Optional<Notice> fullWithout(Observed observed, TopologyMember leaves) {
    List<String> full = namesOfFullWithout(observed, leaves);
    return full.isEmpty()
        ? Optional.empty()
        : Health.notice(
            Reason.DISK_TOO_SMALL,
            "its share of the data does not fit on "
                + String.join(", ", full)
                + "; raise storage.size");
  }

  private static List<String> namesOfFullWithout(Observed observed, TopologyMember leaves) {
    List<TopologyMember> others =
        observed.members().stream().filter(member -> !member.equals(leaves)).toList();
    List<NodeReport> rest = reports(observed, others);
    if (rest.isEmpty()) {
      return List.of();
    }
    long ofOthers = dataBytes(rest);
    long own =
        reports(observed, List.of(leaves)).stream()
            .mapToLong(report -> report.dataBytes().orElseThrow())
            .findFirst()
            .orElse(ofOthers / rest.size());
    long each = (ofOthers + own) / rest.size();
    return full(rest, report -> each);
  }

  /**
   * Returns the members without room for their share once these get other zones. The share is a
   * bound: the most copies that a zone may have of each record, divided among its members.
   */
  static List<String> fullAfterMoves(Observed observed, Map<String, String> moves) {
    Map<String, String> zones = new HashMap<>();
    Map<String, Integer> sizes = new HashMap<>();
    for (TopologyMember member : observed.members()) {
      String zone = moves.getOrDefault(member.name(), member.zone());
      zones.put(member.name(), zone);
      sizes.merge(zone, 1, Integer::sum);
    }
    List<NodeReport> all = reports(observed, observed.members());
    int copies = Math.min(observed.spec().replication(), zones.size());
    int most = FailureDomains.copiesInOneZone(sizes.values(), copies);
    long records = dataBytes(all) / copies;
    return full(
        all,
        report -> {
          int size = Objects.requireNonNull(sizes.get(zones.get(report.node())));
          return records * Math.min(most, size) / size;
        });
  }

  /** Returns the reports of these members; none if a report or its sizes are missing. */
  static List<NodeReport> reports(Observed observed, List<TopologyMember> members) {
    List<NodeReport> reports =
        members.stream()
            .flatMap(member -> Health.report(observed, member).stream())
            .filter(report -> report.diskFreeBytes().isPresent() && report.dataBytes().isPresent())
            .toList();
    return reports.size() == members.size() ? reports : List.of();
  }

  /** Returns the bytes of these members together. */
  static long dataBytes(List<NodeReport> reports) {
    return reports.stream().mapToLong(report -> report.dataBytes().orElseThrow()).sum();
  }

  /** Returns the space that so many more bytes take, while old and new files both exist. */
  static long needs(long bytes) {
    return bytes / 10 * TENTHS;
  }

  private static List<String> full(List<NodeReport> reports, ToLongFunction<NodeReport> share) {
    return reports.stream()
        .filter(report ->
            needs(share.applyAsLong(report) - report.dataBytes().orElseThrow())
                > report.diskFreeBytes().orElseThrow())
        .map(NodeReport::node)
        .sorted()
        .toList();
  }
}
