package dev.kvorum.storage;

import dev.kvorum.data.Mutation;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Mutations kept durably for replicas that were away, each under its target, oldest version first.
 *
 * <p>Bounded in bytes: a hint that would go over the bound is dropped and counted; anti-entropy is
 * the guarantee, hints are the short way.
 */
public interface HintStore {
  /** A mutation and who it is for. */
  record Hint(MemberId target, Mutation mutation) {}

  /**
   * Keeps a hint. Does not block; the hint is durable some time later, with the next writes.
   *
   * @return false when the bound on bytes or the write queue is reached and the hint was dropped
   */
  boolean keep(MemberId target, Mutation mutation);

  /**
   * Reads a target's hints in order, as far as they are durable. Blocks; not for event loops.
   *
   * <p>A page may have fewer than {@code countMax} hints where their values are large; it is empty
   * only behind the last one, or when nothing can be read.
   *
   * @param after the last hint of the page before, or null to begin
   */
  List<Hint> page(MemberId target, @Nullable Hint after, int countMax);

  /** Removes hints that were delivered or have become too old. Does not block. */
  void remove(List<Hint> hints);

  /** Members for whom there are hints. Does not block. */
  Set<MemberId> targets();

  /** Bytes of all hints, keys included. */
  long bytes();

  /** Number of hints waiting for a target. */
  long count(MemberId target);
}
