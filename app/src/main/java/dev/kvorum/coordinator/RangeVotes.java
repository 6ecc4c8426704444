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
import org.jspecify.annotations.Nullable;

/**
 * The members whose records a range is made of, and whether those that answer are enough. Pure.
 *
 * <p>They are while they hold a majority of the first {@code replication} members of every slot:
 * each write that was acknowledged by a majority of these is on one of them. So a range has what
 * reads of its keys with the default quorum would find.
 */
final class RangeVotes {
  private final @Nullable SlotMap slots;
  private final int replication;
  private final List<MemberId> members;
  private final Set<MemberId> answering;
  private boolean enough = true;

  private RangeVotes(@Nullable SlotMap slots, int replication, List<MemberId> members) {
    this.slots = slots;
    this.replication = replication;
    this.members = members;
    this.answering = new HashSet<>(members);
  }

  /** Those of all members of a map. */
  static RangeVotes ofAll(SlotMap slots, int replication, MemberId self) {
    PreferenceList any = slots.preferenceList(0);
    List<MemberId> members = new ArrayList<>(any.replicas(any.size()));
    members.sort(null);
    if (members.remove(self)) {
      members.addFirst(self);
    }
    return new RangeVotes(slots, replication, List.copyOf(members));
  }

  /** That of one member, for what it holds. */
  static RangeVotes ofOne(MemberId member) {
    return new RangeVotes(null, 1, List.of(member));
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
    if (slots == null || voters.size() == members.size()) {
      return voters.size() == members.size();
    }
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      if (!isMajority(slots.preferenceList(slot).replicas(replication), voters)) {
        return false;
      }
    }
    return true;
  }

  /** Whether those that are left are enough for a record with this many copies. */
  boolean areEnough(Key key, int from) {
    return slots == null
        || answering.size() == members.size()
        || isMajority(slots.preferenceList(key).replicas(from), answering);
  }

  /** Whether a member is one of the replicas of a record with this many copies. */
  boolean isReplica(MemberId member, Key key, int from) {
    return slots == null
        || from >= members.size()
        || slots.preferenceList(key).replicas(from).contains(member);
  }

  private static boolean isMajority(List<MemberId> replicas, Set<MemberId> voters) {
    int votes = 0;
    for (MemberId replica : replicas) {
      votes += voters.contains(replica) ? 1 : 0;
    }
    return votes >= Quorum.majorityOf(replicas.size());
  }
}
