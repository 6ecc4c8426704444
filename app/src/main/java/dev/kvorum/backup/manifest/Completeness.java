package dev.kvorum.backup.manifest;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides whether members' parts are a backup together. */
public final class Completeness {
  private Completeness() {}

  /**
   * Why parts are no backup together; empty if they may be.
   *
   * @param epoch of the topology whose members were ordered to make them
   */
  public static Optional<String> objection(long epoch, List<MemberManifest> parts) {
    for (MemberManifest part : parts) {
      if (part.epoch() != epoch) {
        return Optional.of(
            "the part of " + part.member() + " is of epoch " + part.epoch() + ", not " + epoch);
      }
    }
    return tooFarApart(parts);
  }

  /**
   * One checkpoint may have a record whose tombstone the members of later ones have removed. They
   * keep tombstones for some hours after all have them; half of that is too short for it.
   */
  private static Optional<String> tooFarApart(List<MemberManifest> parts) {
    long first = parts.stream().mapToLong(part -> part.began().toEpochMilli()).min().orElse(0);
    long last = parts.stream().mapToLong(part -> part.ended().toEpochMilli()).max().orElse(0);
    long allowed = parts.stream().mapToLong(MemberManifest::tombstoneAgeMillis).min().orElse(0) / 2;
    return last - first <= allowed
        ? Optional.empty()
        : Optional.of(
            "the members' checkpoints are "
                + Duration.ofMillis(last - first)
                + " apart; half of kvorum.repair.tombstone-age-min is allowed, "
                + Duration.ofMillis(allowed));
  }

  /**
   * The numbers of copies whose acknowledged writes parts have. Those of members that lacked
   * records do not count.
   *
   * @param members of the topology
   */
  public static List<Integer> covered(List<Member> members, List<MemberManifest> parts) {
    return Coverage.covered(
        members,
        parts.stream()
            .filter(MemberManifest::votes)
            .map(part -> new MemberId(part.member()))
            .collect(Collectors.toSet()));
  }
}
