package dev.kvorum.placement;

import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;

/**
 * The members of a slot in order of preference: the first {@code from} of them keep its records.
 */
public final class PreferenceList {
  /** Prefixes up to this length are precomputed; nearly all records use them. */
  private static final int READY = 5;

  private final List<MemberId> members;
  private final List<List<MemberId>> prefixes = new ArrayList<>();
  private final int hash;

  PreferenceList(List<MemberId> members) {
    this.members = List.copyOf(members);
    this.hash = this.members.hashCode();
    for (int from = 1; from <= Math.min(READY, members.size()); from++) {
      prefixes.add(this.members.subList(0, from));
    }
  }

  /**
   * The member at a rank.
   *
   * @throws IndexOutOfBoundsException if the rank is negative or at least {@link #size}
   */
  public MemberId get(int rank) {
    return members.get(rank);
  }

  /** Number of members: all members of the topology. */
  public int size() {
    return members.size();
  }

  /**
   * The members that keep {@code from} copies, most preferred first. It returns all members if
   * there are fewer, as for a record written when the cluster was larger. The list is unmodifiable
   * and a prefix of that for any larger {@code from}. Up to five copies, the call allocates
   * nothing.
   *
   * @throws IllegalArgumentException if {@code from} is less than 1
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
    return this == other
        || (other instanceof PreferenceList that
            && hash == that.hash
            && members.equals(that.members));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
