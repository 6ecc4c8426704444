package dev.kvorum.topology;

/** Where a member stands in its life; only the topology's writer changes it. */
public enum MemberState {
  /** Takes writes, is being filled, is not read. */
  JOINING,
  /** Owns its slots. */
  ACTIVE,
  /** Still read and written while its slots move away. */
  LEAVING
}
