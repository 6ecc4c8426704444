package dev.kvorum.storage;

/** A listener for measurements of the group commit. */
@FunctionalInterface
public interface CommitListener {
  /** Measures nothing. */
  CommitListener NONE = (writes, nanos) -> {};

  /**
   * Called by the writer thread after every batch; must not block.
   *
   * @param writes operations in the batch
   * @param nanos time from the first operation's leaving the queue until all answers were given
   */
  void committed(int writes, long nanos);
}
