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
 * The members whose records a range is made of, and whether those that answer are enough. Pure.
 *
 * <p>They are while they hold a majority of the first {@code replication} members of every slot:
 * each write that was acknowledged by a majority of these is on one of them. So a range has what
 * reads of its keys with the default quorum would find.
 */
final class RangeVotes {
  // None where one member answers for itself.
  private final List<SlotMap> maps;
  private final int replication;
  private final List<MemberId> members;
  private final Set<MemberId> answering;
  private boolean enough = true;

  private RangeVotes(List<SlotMap> maps, int replication, List<MemberId> members) {
    this.maps = maps;
    this.replication = replication;
    this.members = members;
    this.answering = new HashSet<>(members);
  }

  /** Those of all members of some maps, a majority in each. */
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

  /** That of one member, for what it holds. */
  static RangeVotes ofOne(MemberId member) {
    return new RangeVotes(List.of(), 1, List.of(member));
  }

  /** All that are asked. */
  List<MemberId> members() {
    return members;
  }

  /** From here on nothing is known of what this member holds. */
  void lose(MemberId member) {
    answering.remove(member);
    enough = areEnough(answering);
  }

  /** Whether those that are left are enough for keys of the default replication. */
  boolean areEnough() {
    return enough;
  }

  /** Whether those that are left would be enough without some more. */
  boolean areEnoughWithout(Set<MemberId> lost) {
    Set<MemberId> left = new HashSet<>(answering);
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

  /** Whether those that are left are enough for a record with this many copies. */
  boolean areEnough(Key key, int from) {
    return answering.size() == members.size()
        || maps.stream()
            .allMatch(map -> isMajority(map.preferenceList(key).replicas(from), answering));
  }

  /** Whether a member is one of the replicas of a record with this many copies. */
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
