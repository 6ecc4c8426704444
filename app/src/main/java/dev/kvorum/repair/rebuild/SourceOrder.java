package dev.kvorum.repair.rebuild;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.Comparator;
import java.util.List;

/**
 * In which order peers are copied from. The first copies of a record are in different zones: the
 * peers of the other zones may suffice for all slots, and those of this member's zone come last.
 */
final class SourceOrder {
  private SourceOrder() {}

  /** These peers, otherwise in their order. */
  static List<MemberId> of(Topology topology, MemberId self, List<MemberId> peers) {
    String zone = zoneOf(topology, self);
    return peers.stream()
        .sorted(Comparator.comparing(peer -> zoneOf(topology, peer).equals(zone)))
        .toList();
  }

  private static String zoneOf(Topology topology, MemberId member) {
    return topology.member(member).map(Member::zone).orElse("");
  }
}
