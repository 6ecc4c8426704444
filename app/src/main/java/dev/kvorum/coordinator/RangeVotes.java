package dev.kvorum.coordinator;

import dev.kvorum.data.Key;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tracks the members that take part in a range read and decides whether the remaining ones suffice.
 * Pure.
 *
 * <p>They suffice while they include a majority of the first {@code replication} members of every
 * slot. Each write that such a majority acknowledged is on at least one of them. A range therefore
 * returns what reads of its keys with the default quorum would return.
 */
final class RangeVotes {
  // Empty for a range of one member's own records.
  private final List<SlotMap> maps;
  private final int replication;
  private final List<MemberId> members;
  private final Set<MemberId> replying;
  private boolean enough = true;

  private RangeVotes(List<SlotMap> maps, int replication, List<MemberId> members) {
    this.maps = maps;
    this.replication = replication;
    this.members = members;
    this.replying = new HashSet<>(members);
  }

  /** Votes of all members of the maps; each map needs a majority. */
  static RangeVotes ofAll(List<SlotMap> maps, int replication, MemberId self) {
    Set<MemberId> all = new TreeSet<>();
    for (SlotMap map : maps) {
      PreferenceList any = map.preferenceList(0);
      all.addAll(any.replicas(any.size()));
    }
    List<MemberId> members = new ArrayList<>(all);
    if (members.remove(self)) {
      members.addFirst(self);
    }
    return new RangeVotes(List.copyOf(maps), replication, List.copyOf(members));
  }

  /** The vote of one member, for a range of its own records. */
  static RangeVotes ofOne(MemberId member) {
    return new RangeVotes(List.of(), 1, List.of(member));
  }

  /** All members that the range reads from. */
  List<MemberId> members() {
    return members;
  }

  /** Removes a lost member from the voters. */
  void lose(MemberId member) {
    replying.remove(member);
    enough = areEnough(replying);
  }

  /** Returns whether the remaining members suffice for keys with the default replication. */
  boolean areEnough() {
    return enough;
  }

  /** Returns whether the remaining members would suffice without those given. */
  boolean areEnoughWithout(Set<MemberId> lost) {
    Set<MemberId> left = new HashSet<>(replying);
    left.removeAll(lost);
    return areEnough(left);
  }

  private boolean areEnough(Set<MemberId> voters) {
    if (maps.isEmpty() || voters.size() == members.size()) {
      return voters.size() == members.size();
    }
    for (SlotMap map : maps) {
      for (int slot = 0; slot < Slots.COUNT; slot++) {
        if (!isMajority(map.preferenceList(slot).replicas(replication), voters)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns whether the remaining members suffice for a record with this many copies. */
  boolean areEnough(Key key, int from) {
    return replying.size() == members.size()
        || maps.stream()
            .allMatch(map -> isMajority(map.preferenceList(key).replicas(from), replying));
  }

  /** Returns whether a member is a replica of a record with this many copies. */
  boolean isReplica(MemberId member, Key key, int from) {
    return maps.isEmpty()
        || maps.stream().anyMatch(map -> map.preferenceList(key).replicas(from).contains(member));
  }

  private static boolean isMajority(List<MemberId> replicas, Set<MemberId> voters) {
    int votes = 0;
    for (MemberId replica : replicas) {
      votes += voters.contains(replica) ? 1 : 0;
    }
    return votes >= Quorum.majorityOf(replicas.size());
  }
}
