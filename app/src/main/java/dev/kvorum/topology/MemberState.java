package dev.kvorum.topology;

/** A member's state in its life cycle. Only the topology's writer changes it. */
public enum MemberState {
  /** Receives writes and is being filled; not read. */
  JOINING,
  /** Owns its slots. */
  ACTIVE,
  /** Still read and written while its slots move to other members. */
  LEAVING,
  /** Leaves without taking part, since it is lost: nothing is copied from it. */
  REMOVING,
  /** Keeps its data while it gets another zone, and with it other slots. */
  MOVING
}
