package dev.kvorum.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The members of the cluster at one epoch.
 *
 * @param clusterId id of the cluster; nodes of another cluster are rejected
 * @param epoch grows by one with every change; a static topology stays at 1
 * @param phase phase of the current change
 * @param members sorted by name, at least one
 * @param features what all members may use from this epoch on
 */
public record Topology(
    String clusterId, long epoch, Phase phase, List<Member> members, Set<Feature> features) {
  /** Largest number of members. */
  public static final int MEMBERS_MAX = 100;

  /**
   * Validates the members.
   *
   * @throws IllegalArgumentException if there are none or too many, if two share a name, or if the
   *     phase contradicts the states
   */
  public Topology {
    members = sorted(members);
    features = Set.copyOf(features);
    if (members.isEmpty() || members.size() > MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "a cluster has 1 to " + MEMBERS_MAX + " members, not " + members.size());
    }
    Set<MemberId> names = new HashSet<>();
    for (Member member : members) {
      if (!names.add(member.id())) {
        throw new IllegalArgumentException("member " + member.id() + " is listed twice");
      }
    }
    boolean allActive = members.stream().allMatch(member -> member.state() == MemberState.ACTIVE);
    if (allActive != (phase == Phase.STABLE)) {
      throw new IllegalArgumentException(
          "in phase "
              + phase
              + (phase == Phase.STABLE
                  ? " all members are active; some are not"
                  : " at least one member joins, leaves, is removed or moves; none does"));
    }
    if (members.stream().noneMatch(Member::wasBefore)
        || members.stream().noneMatch(Member::stays)) {
      throw new IllegalArgumentException("no member is left before or after the change");
    }
  }

  /** Creates a topology without features. */
  public Topology(String clusterId, long epoch, Phase phase, List<Member> members) {
    this(clusterId, epoch, phase, members, Set.of());
  }

  /** This topology with other features. */
  public Topology with(Set<Feature> others) {
    return new Topology(clusterId, epoch, phase, members, others);
  }

  /** Creates a topology without a change in progress. */
  public static Topology stable(String clusterId, long epoch, List<Member> members) {
    return new Topology(clusterId, epoch, Phase.STABLE, members);
  }

  /** The members before the change, in their old zones; all when there is none. */
  public List<Member> before() {
    return members.stream().filter(Member::wasBefore).map(Member::before).toList();
  }

  /** The members after the change, in their new zones; all when there is none. */
  public List<Member> after() {
    return members.stream().filter(Member::stays).map(Member::after).toList();
  }

  /** The member of this name. */
  public Optional<Member> member(MemberId id) {
    return members.stream().filter(member -> member.id().equals(id)).findFirst();
  }

  /** Returns whether a member other than this one has to have records that it can copy. */
  public boolean hasSourceBeside(MemberId id) {
    return members.stream().anyMatch(member -> member.isSource() && !member.id().equals(id));
  }

  /** All names in order, separated by commas; for display and for comparing topologies. */
  public String names() {
    return members.stream().map(member -> member.id().name()).collect(Collectors.joining(","));
  }

  private static List<Member> sorted(List<Member> members) {
    List<Member> sorted = new ArrayList<>(members);
    sorted.sort(Comparator.comparing(Member::id));
    return List.copyOf(sorted);
  }
}
