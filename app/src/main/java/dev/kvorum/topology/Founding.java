package dev.kvorum.topology;

import java.util.function.BooleanSupplier;

/**
 * Whether the cluster has begun, as is known outside of this member's store: then members without
 * data have lost it, however many they are. Safe for use by many threads.
 */
public final class Founding {
  private final BooleanSupplier known;
  private final Runnable note;
  private volatile boolean lossAccepted;

  /**
   * What is known of a cluster.
   *
   * @param known whether it is on record that it has begun; does not block
   * @param note puts that on record where this member can; does not block
   */
  public Founding(BooleanSupplier known, Runnable note) {
    this.known = known;
    this.note = note;
  }

  /** Whether this cluster has begun before: there is a record of it, or its members changed. */
  public boolean isFounded(long epoch) {
    return !lossAccepted && (epoch > 1 || known.getAsBoolean());
  }

  /** This member has all that it should have: so the cluster has begun. */
  public void note() {
    note.run();
  }

  /** A person accepts that all records are lost: blank members may start again, until a restart. */
  public void acceptLostDisks() {
    lossAccepted = true;
  }
}
