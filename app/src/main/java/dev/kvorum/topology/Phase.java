package dev.kvorum.topology;

/** How far a change of the members has come. */
public enum Phase {
  /** No change is under way. */
  STABLE,
  /** Writes go to the old and the new members, reads to the old ones; records are copied. */
  TRANSFERRING,
  /** Writes and reads go to the old and the new members, until both have what reads have shown. */
  SETTLING
}
