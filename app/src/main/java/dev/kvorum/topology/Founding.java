package dev.kvorum.topology;

import java.util.function.BooleanSupplier;

/**
 * Tracks whether the cluster is founded, from sources other than this member's store. In a founded
 * cluster, members without data have lost it, however many they are. Safe for use by many threads.
 */
public final class Founding {
  private final BooleanSupplier known;
  private final Runnable note;
  private volatile boolean lossAccepted;

  /**
   * Creates the state of a cluster.
   *
   * @param known returns whether the cluster is recorded as founded; does not block
   * @param note records it as founded where this member can; does not block
   */
  public Founding(BooleanSupplier known, Runnable note) {
    this.known = known;
    this.note = note;
  }

  /** Returns whether this cluster is founded: recorded so, or with a changed topology. */
  public boolean isFounded(long epoch) {
    return !lossAccepted && (epoch > 1 || known.getAsBoolean());
  }

  /** Records the cluster as founded, since this member is complete. */
  public void note() {
    note.run();
  }

  /**
   * Accepts, on an operator's request, that all records are lost. Blank members may form a new
   * cluster until a restart.
   */
  public void acceptLostDisks() {
    lossAccepted = true;
  }
}
