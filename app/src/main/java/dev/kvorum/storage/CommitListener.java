package dev.kvorum.storage;

/** Receives measurements of the group commit. */
@FunctionalInterface
public interface CommitListener {
  /** Ignores all measurements. */
  CommitListener NONE = (writes, nanos) -> {};

  /**
   * Called by the writer thread after every batch; must not block.
   *
   * @param writes number of operations in the batch
   * @param nanos time from the dequeue of the first operation to the last reply, in nanoseconds
   */
  void committed(int writes, long nanos);
}
