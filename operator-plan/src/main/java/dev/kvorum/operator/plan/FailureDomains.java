package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds machines and zones whose failure leaves some records without a quorum. Where there is only
 * one machine, or no zone is unused, nothing can be spread and nothing is reported.
 */
public final class FailureDomains {
  private FailureDomains() {}

  /** Returns the first machine or zone that has, or may have, too many copies. */
  public static Optional<Notice> crowded(Observed observed) {
    // The only copies are lost with their machine, wherever it is.
    Optional<Notice> crowded =
        observed.spec().replication() == 1
            ? Optional.empty()
            : crowdedMachine(observed).or(() -> crowdedZones(observed));
    return crowded.or(() -> ZonePlanner.obstacle(observed));
  }

  /** Placement does not know machines: any two members may have copies of the same record. */
  private static Optional<Notice> crowdedMachine(Observed observed) {
    SortedMap<String, List<String>> machines = by(observed, Place::machine);
    if (machines.size() == 1 && !observed.spare().machine()) {
      return Optional.empty();
    }
    return machines.entrySet().stream()
        .filter(machine -> machine.getValue().size() > losable(observed))
        .findFirst()
        .flatMap(machine ->
            Health.notice(
                Reason.MEMBERS_SHARE_MACHINE,
                String.join(", ", machine.getValue())
                    + " run on machine "
                    + machine.getKey()
                    + ": its failure leaves some records without a quorum. No pod is moved for that:"
                    + " once another machine has room, restart one of them (`kubectl delete pod "
                    + machine.getValue().getLast()
                    + "`), which the scheduler places elsewhere if it can"));
  }

  private static Optional<Notice> crowdedZones(Observed observed) {
    SortedMap<String, List<String>> zones = by(observed, Place::zone);
    if (!observed.spare().zone() || zones.isEmpty() || zones.containsKey("")) {
      return Optional.empty();
    }
    int most =
        copiesInOneZone(
            zones.values().stream().map(List::size).toList(), observed.spec().replication());
    return most > losable(observed)
        ? Health.notice(
            Reason.COPIES_SHARE_ZONE,
            "members run in zone"
                + (zones.size() == 1 ? " " : "s ")
                + String.join(", ", zones.keySet())
                + " only, with up to "
                + most
                + " copies of a record in one of them, whose failure leaves such records without a"
                + " quorum; there are machines in other zones")
        : Optional.empty();
  }

  /** Placement visits the zones in turn, until it has all copies. */
  static int copiesInOneZone(Collection<Integer> zoneSizes, int copies) {
    return IntStream.rangeClosed(1, copies)
        .filter(
            rounds -> zoneSizes.stream().mapToInt(size -> Math.min(size, rounds)).sum() >= copies)
        .findFirst()
        .orElse(copies);
  }

  /** Returns how many copies of a record one failure may take: a minority, and one of two. */
  private static int losable(Observed observed) {
    return Math.max(1, (observed.spec().replication() - 1) / 2);
  }

  /** Returns the names of members in each domain. */
  private static SortedMap<String, List<String>> by(
      Observed observed, Function<Place, String> domain) {
    return observed.members().stream()
        .filter(member -> observed.place(member).isPresent())
        .collect(
            Collectors.groupingBy(
                member -> domain.apply(observed.place(member).orElseThrow()),
                TreeMap::new,
                Collectors.mapping(TopologyMember::name, Collectors.toList())));
  }
}
