package dev.kvorum.placement;

import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;

/** A slot's members in order of preference: the first {@code from} of them keep its records. */
public final class PreferenceList {
  /** Prefixes up to this length are made beforehand: what nearly every record asks for. */
  private static final int READY = 5;

  private final List<MemberId> members;
  private final List<List<MemberId>> prefixes = new ArrayList<>();

  PreferenceList(List<MemberId> members) {
    this.members = List.copyOf(members);
    for (int from = 1; from <= Math.min(READY, members.size()); from++) {
      prefixes.add(this.members.subList(0, from));
    }
  }

  /**
   * The member at a rank.
   *
   * @throws IndexOutOfBoundsException when the rank is negative or {@link #size} or more
   */
  public MemberId get(int rank) {
    return members.get(rank);
  }

  /** How many there are: all members of the topology. */
  public int size() {
    return members.size();
  }

  /**
   * The members that keep {@code from} copies, most preferred first; all when there are fewer, as
   * for a record that was written when the cluster was larger. Unmodifiable, and a prefix of the
   * answer for any larger {@code from}. Up to five copies nothing is allocated.
   *
   * @throws IllegalArgumentException when {@code from} is less than 1
   */
  public List<MemberId> replicas(int from) {
    if (from < 1) {
      throw new IllegalArgumentException("at least one copy, not " + from);
    }
    if (from >= members.size()) {
      return members;
    }
    return from <= READY ? prefixes.get(from - 1) : members.subList(0, from);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PreferenceList that && members.equals(that.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
