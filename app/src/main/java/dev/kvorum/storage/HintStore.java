package dev.kvorum.storage;

import dev.kvorum.data.Mutation;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores mutations durably for replicas that were unreachable, by target, oldest version first.
 *
 * <p>Bounded in bytes: a hint beyond the bound is dropped and counted. Hints are an optimization;
 * anti-entropy guarantees the repair.
 */
public interface HintStore {
  /** A mutation and its target. */
  record Hint(MemberId target, Mutation mutation) {}

  /**
   * Stores a hint. Does not block; the hint becomes durable later, with the next writes.
   *
   * @return false if the bound on bytes or the write queue is reached and the hint was dropped
   */
  boolean keep(MemberId target, Mutation mutation);

  /**
   * Reads a target's durable hints in order. Blocks; not for event loops.
   *
   * <p>A page may have fewer than {@code countMax} hints if their values are large. It is empty
   * only behind the last hint, or if no hint can be read.
   *
   * @param after the last hint of the page before, or null for the first page
   */
  List<Hint> page(MemberId target, @Nullable Hint after, int countMax);

  /** Deletes hints that were delivered or have expired. Does not block. */
  void remove(List<Hint> hints);

  /** Members with hints. Does not block. */
  Set<MemberId> targets();

  /** Size of all hints in bytes, including keys. */
  long bytes();

  /** Number of hints waiting for a target. */
  long count(MemberId target);
}
