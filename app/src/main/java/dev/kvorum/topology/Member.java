package dev.kvorum.topology;

/**
 * A member of the topology.
 *
 * @param zone failure domain, empty if unknown
 * @param nextZone failure domain after the change; differs from {@code zone} only while the member
 *     moves
 */
public record Member(MemberId id, String zone, MemberState state, String nextZone) {
  /**
   * Validates the zones.
   *
   * @throws IllegalArgumentException if a member that does not move gets another zone, or one that
   *     moves does not
   */
  public Member {
    if (zone.equals(nextZone) == (state == MemberState.MOVING)) {
      throw new IllegalArgumentException(
          "member "
              + id
              + " is "
              + state
              + " and its zone changes from '"
              + zone
              + "' to '"
              + nextZone
              + "'");
    }
  }

  /** Creates a member that keeps its zone. */
  public Member(MemberId id, String zone, MemberState state) {
    this(id, zone, state, zone);
  }

  /** Returns whether it is one of the members before the change. */
  boolean wasBefore() {
    return state != MemberState.JOINING;
  }

  /** Returns whether it is one of the members after the change. */
  boolean stays() {
    return state != MemberState.LEAVING && state != MemberState.REMOVING;
  }

  /** Returns whether it has to hand on its records in the change. */
  public boolean isSource() {
    return wasBefore() && state != MemberState.REMOVING;
  }

  /** Returns this member as it is without a change, in a zone. */
  private Member activeIn(String itsZone) {
    return new Member(id, itsZone, MemberState.ACTIVE);
  }

  /** Returns this member as it was before it moved, or itself if it does not move. */
  Member before() {
    return state == MemberState.MOVING ? activeIn(zone) : this;
  }

  /** Returns this member as it is once it has moved, or itself if it does not move. */
  Member after() {
    return state == MemberState.MOVING ? activeIn(nextZone) : this;
  }
}
