package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks whether the remaining members have room for a leaving member's data, as far as nodes
 * report it.
 */
final class DiskCheck {
  /** Space that a copy takes at most while old and new files both exist, in tenths of its size. */
  private static final int TENTHS = 15;

  private DiskCheck() {}

  static Optional<Step> refusal(Observed observed, TopologyMember leaves) {
    Map<String, NodeReport> reports =
        observed.members().stream()
            .flatMap(member -> Health.report(observed, member).stream())
            .collect(Collectors.toMap(NodeReport::node, Function.identity()));
    boolean known =
        reports.size() == observed.members().size()
            && reports.values().stream()
                .allMatch(it -> it.diskFreeBytes().isPresent() && it.dataBytes().isPresent());
    if (!known || reports.size() < 2) {
      return Optional.empty();
    }
    long all = reports.values().stream().mapToLong(it -> it.dataBytes().orElse(0)).sum();
    long each = all / (reports.size() - 1);
    List<String> full =
        reports.values().stream()
            .filter(report -> !report.node().equals(leaves.name()))
            .filter(report ->
                (each - report.dataBytes().orElse(0)) / 10 * TENTHS
                    > report.diskFreeBytes().orElse(Long.MAX_VALUE))
            .map(NodeReport::node)
            .sorted()
            .toList();
    return full.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Step.Refuse(
                Reason.DISK_TOO_SMALL,
                leaves.name()
                    + " cannot leave: its share of the data does not fit on "
                    + String.join(", ", full)
                    + "; raise storage.size"));
  }
}
